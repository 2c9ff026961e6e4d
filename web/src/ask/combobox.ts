// A searchable list in groups: type to narrow it, arrows and Enter to choose. The pattern is ARIA's combobox.
import { fill, h, uniqueId } from '../base/dom';

export interface Entry {
  value: string;
  text: string;
  note?: string;
  group: string;
  words?: string; // searched as well
}

const mostShown = 400;

const loose = (text: string): string => text.toLowerCase().replace(/[\s_.-]+/g, '');

// How near a name is to what is typed: the very name, its beginning, a word of it, a part of it.
function farOff({ text }: Entry, query: string): number {
  const [name, typed] = [loose(text), loose(query)];
  if (name === typed) return 0;
  if (name.startsWith(typed)) return 1;
  if (
    text
      .toLowerCase()
      .split(/[\s_.-]+/)
      .includes(typed)
  )
    return 2;
  return name.includes(typed) ? 3 : 4;
}

export class Combobox {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly list: HTMLElement;
  private entries: Entry[] = [];
  private shown: Entry[] = [];
  private at = -1;
  private value = '';
  private readonly about = h('p', { class: 'about' });

  constructor(
    label: string,
    placeholder: string,
    private readonly chosen: (value: string) => void,
  ) {
    const id = uniqueId('choice');
    this.list = h('div', { id: `${id}-list`, role: 'listbox', class: 'choices', 'aria-label': label, hidden: true });
    this.input = h('input', {
      id,
      type: 'text',
      role: 'combobox',
      placeholder,
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-expanded': 'false',
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
    });
    this.input.addEventListener('focus', () => this.input.select());
    this.input.addEventListener('click', () => this.open(''));
    this.input.addEventListener('input', () => this.open(this.input.value));
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.input.addEventListener('blur', () => this.close());
    this.list.addEventListener('pointerdown', (event) => {
      event.preventDefault(); // the field keeps the focus
      const option = (event.target as HTMLElement).closest<HTMLElement>('[data-value]');
      if (option) this.take(option.dataset.value ?? '');
    });
    this.element = h('div', { class: 'combobox' }, h('label', { for: id }, label), this.input, this.about, this.list);
  }

  offer(entries: Entry[]): void {
    this.entries = entries;
    this.show(this.value);
  }

  show(value: string): void {
    this.value = value;
    const entry = this.entries.find((each) => each.value === value);
    this.input.value = entry?.text ?? value;
    this.about.textContent = entry?.note ?? '';
  }

  private matching(query: string): Entry[] {
    const words = query
      .split(/\s+/)
      .map(loose)
      .filter((word) => word !== '');
    const found = this.entries.filter((entry) => {
      const all = loose(`${entry.text} ${entry.value} ${entry.note ?? ''} ${entry.group} ${entry.words ?? ''}`);
      return words.every((word) => all.includes(word));
    });
    return found.slice(0, mostShown);
  }

  private open(query: string): void {
    this.shown = this.matching(query);
    const nodes: HTMLElement[] = [];
    let group = '';
    let box: HTMLElement | null = null;
    this.shown.forEach((entry, i) => {
      if (entry.group !== group || box === null) {
        group = entry.group;
        const name = uniqueId('group');
        box = h(
          'div',
          { role: 'group', 'aria-labelledby': name },
          h('div', { id: name, class: 'group', role: 'presentation' }, group),
        );
        nodes.push(box);
      }
      const option = h(
        'div',
        { role: 'option', id: `${this.list.id}-${i}`, 'data-value': entry.value, 'aria-selected': 'false' },
        h('span', {}, entry.text),
        entry.note ? h('span', { class: 'note' }, entry.note) : null,
      );
      box.append(option);
    });
    if (nodes.length === 0)
      nodes.push(
        h('div', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, 'Nothing is called that'),
      );
    fill(this.list, ...nodes);
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    this.mark(query === '' ? this.shown.findIndex((entry) => entry.value === this.value) : this.nearest(query));
  }

  // The one that Enter takes.
  private nearest(query: string): number {
    const far = this.shown.map((entry) => farOff(entry, query));
    return far.indexOf(Math.min(...far));
  }

  private mark(at: number): void {
    this.at = at;
    for (const option of this.list.querySelectorAll('[role=option]')) option.setAttribute('aria-selected', 'false');
    const option = at < 0 ? null : this.list.querySelector(`#${CSS.escape(`${this.list.id}-${at}`)}`);
    if (!option) return this.input.removeAttribute('aria-activedescendant');
    option.setAttribute('aria-selected', 'true');
    this.input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  }

  private key(event: KeyboardEvent): void {
    const open = !this.list.hidden;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) return this.open('');
      const by = event.key === 'ArrowDown' ? 1 : -1;
      this.mark((this.at + by + this.shown.length) % Math.max(1, this.shown.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const entry = open ? this.shown[this.at] : undefined;
      if (entry) this.take(entry.value);
      else if (this.input.value !== '') this.taken(this.input.value);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      this.close();
    }
  }

  // A name that is not in the list may still be one that the program takes.
  private taken(text: string): void {
    this.value = text;
    this.close(text);
    this.chosen(text);
  }

  private take(value: string): void {
    this.value = value;
    this.close();
    this.chosen(value);
  }

  private close(text?: string): void {
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
    if (text === undefined) this.show(this.value);
  }
}
