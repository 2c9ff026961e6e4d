// Everything else about the job, folded: the summary says it in words, the fields say what is wrong beside themselves.
import type { Choices } from '../base/api';
import { field, fill, h, options, uniqueId } from '../base/dom';
import type { Kind } from '../base/job';
import { type State, uploaded } from '../base/state';
import { type JobField, jobFields, wrongWith } from './job_fields';

export class JobPanel {
  readonly element: HTMLElement;
  private readonly summary = h('summary', {});
  private readonly place = h('div', { class: 'fields' });
  private readonly wrong = new Map<string, HTMLElement>();
  private readonly inputs = new Map<string, HTMLInputElement>();
  private shownFor = '';

  constructor(
    private readonly state: State,
    private readonly choices: Choices,
    private readonly changed: () => void,
    ...more: HTMLElement[]
  ) {
    this.element = h('details', { class: 'job' }, this.summary, this.place, ...more);
  }

  // Fields that a question does not have are not there.
  show(kind: Kind, text: boolean): void {
    const trains = this.state.mode === 'train';
    const shown = jobFields.filter((each) => each.for(kind, trains, text));
    const wanted = `${kind} ${trains} ${text}`;
    if (wanted !== this.shownFor) {
      this.shownFor = wanted;
      this.inputs.clear();
      this.wrong.clear();
      fill(this.place, ...shown.map((each) => this.control(each, kind)));
    }
    for (const each of shown) this.refresh(each);
    const said = h('span', { class: 'said' }, this.said(shown, kind));
    fill(this.summary, h('b', {}, 'Job'), said, h('span', { class: 'hint' }, 'change'));
  }

  // A complaint of the server about one of the fields; false: it is not about any.
  complain(request: string, text: string): boolean {
    const about = jobFields.find((each) => each.request === request);
    const place = about && this.wrong.get(about.name);
    if (!place) return false;
    place.textContent = text;
    place.hidden = false;
    (this.element as HTMLDetailsElement).open = true;
    return true;
  }

  // What is typed now and cannot be asked; '' when all is well.
  get mistake(): string {
    for (const each of jobFields) {
      const input = this.inputs.get(each.name);
      const wrong = input ? wrongWith(each, input.value) || (input.validity.badInput ? 'A number is needed' : '') : '';
      if (wrong !== '') return `${each.label}: ${wrong.toLowerCase()}`;
    }
    return '';
  }

  private said(shown: JobField[], kind: Kind): string {
    const words = shown.map((each) => {
      const value = this.state[each.name];
      if (each.name === 'dtype' && value === '') return this.usualFormat(kind);
      if (each.choices) {
        const text = each.choices(this.choices, kind).find(([name]) => name === value)?.[1] ?? value;
        if (['dtype', 'optimizer', 'method'].includes(each.name)) return text;
        if (each.name === 'weights' || each.name === 'kv') return `${each.name === 'kv' ? 'cache' : 'weights'} ${text}`;
        return value === '' ? '' : `${each.label.toLowerCase()} ${text}`;
      }
      if (each.name === 'loadLine') return `load line ${Math.round(Number(value) * 100)} %`;
      if (['samples', 'epochs', 'context'].includes(each.name))
        return `${Number(value).toLocaleString('en-US')} ${each.name === 'context' ? 'tokens of context' : each.name}`;
      return '';
    });
    return words.filter((word) => word !== '').join(' · ');
  }

  private usualFormat(kind: Kind): string {
    if (kind === 'tokens') return 'bf16';
    return this.state.model.startsWith(uploaded) ? 'number format of the file' : 'f32';
  }

  private control(each: JobField, kind: Kind): HTMLElement {
    const wrong = h('p', { class: 'wrong', id: uniqueId('wrong'), role: 'alert', hidden: true });
    const about = h('p', { class: 'about-field', id: uniqueId('about') }, each.about);
    const described = `${about.id} ${wrong.id}`;
    this.wrong.set(each.name, wrong);
    if (each.choices) {
      const select = h('select', { name: each.name, 'aria-describedby': described });
      const entries = each.choices(this.choices, kind);
      if (!entries.some(([value]) => value === this.state[each.name])) this.state[each.name] = entries[0]?.[0] ?? '';
      options(select, entries, this.state[each.name]);
      select.addEventListener('change', () => this.take(each, select.value));
      return field(each.label, select, about, wrong);
    }
    const input = h('input', {
      type: 'number',
      name: each.name,
      step: 'any',
      placeholder: each.empty ?? '',
      'aria-describedby': described,
    });
    input.addEventListener('input', () => this.typed(each, input));
    this.inputs.set(each.name, input);
    return field(each.label, input, about, wrong);
  }

  private typed(each: JobField, input: HTMLInputElement): void {
    const wrong = input.validity.badInput ? 'A number is needed' : wrongWith(each, input.value);
    this.say(each, wrong);
    input.setAttribute('aria-invalid', wrong === '' ? 'false' : 'true');
    if (wrong === '') this.take(each, input.value);
    else this.changed(); // the answer that is shown is not that of what is typed
  }

  private say(each: JobField, text: string): void {
    const place = this.wrong.get(each.name)!;
    place.textContent = text;
    place.hidden = text === '';
  }

  private take(each: JobField, value: string): void {
    this.state[each.name] = value;
    this.say(each, '');
    this.changed();
  }

  private refresh(each: JobField): void {
    const control = this.place.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${each.name}"]`);
    if (!control || control === document.activeElement) return;
    if (control.value === this.state[each.name]) return;
    control.value = this.state[each.name];
    control.removeAttribute('aria-invalid');
    this.say(each, '');
  }
}
