// A tab whose answer takes a while: it is asked for when the slider rests and the tab is looked at. What was answered
// before is dimmed meanwhile, and is gone at once where it is of another network or device.
import { fill, h, message } from '../base/dom';
import { forget, later } from '../base/later';
import type { Question } from '../base/question';
import type { Tab } from '../base/state';
import { Drawing } from '../draw/drawing';
import type { TabPicture } from '../share/tab_picture';

const restMilliseconds = 250;

export abstract class TabView<T> {
  readonly element: HTMLElement;
  protected readonly place = h('div', { class: 'tab-content' });
  protected readonly drawing = new Drawing();
  private readonly title = h('h2', { class: 'tab-title', hidden: true });
  private readonly busy = h('p', { class: 'busy-note', role: 'status', hidden: true }, 'The answer is on its way …');
  private visible = false;
  private rest = 0;
  private wanted: Question | null = null;
  private shown = '';
  private about = '';

  constructor(readonly name: Tab) {
    this.element = h('div', { class: `tab-${name}` }, this.title, this.busy, this.place);
  }

  // Why there is nothing to be asked; '' when there is.
  protected why(_: Question): string {
    return '';
  }

  protected abstract ask(question: Question): Promise<T>;
  protected abstract draw(question: Question, answer: T): void;
  protected abstract titleOf(question: Question): string; // what is shown, and of what

  look(visible: boolean): void {
    this.visible = visible;
    if (visible && this.wanted) this.update(this.wanted);
  }

  update(question: Question): void {
    this.wanted = question;
    window.clearTimeout(this.rest);
    forget(this);
    if (!this.visible) return;
    const why = this.why(question);
    if (why !== '') return this.nothing(why);
    if (question.key === this.shown) return this.quiet();
    const about = `${question.state.model} ${question.state.device} ${question.kind} ${question.state.mode}`;
    if (about !== this.about) this.empty();
    this.about = about;
    this.busy.hidden = false;
    this.element.setAttribute('aria-busy', 'true');
    this.rest = window.setTimeout(() => later(this, () => this.work(question)), restMilliseconds);
  }

  // What is typed cannot be asked: nothing that was answered before stays.
  refuse(why: string): void {
    window.clearTimeout(this.rest);
    forget(this);
    this.wanted = null;
    this.nothing(why);
  }

  // What is shown, for a picture to pass on; null where there is no drawing or it is not the answer yet.
  picture(): TabPicture | null {
    if (this.shown === '' || this.shown !== this.wanted?.key || !this.place.contains(this.drawing.element)) return null;
    const entries = [...this.place.querySelectorAll<HTMLElement>('.legend li')].map((each): [string, string] => [
      getComputedStyle(each.querySelector('.swatch')!).backgroundColor,
      each.textContent ?? '',
    ]);
    return {
      title: this.title.textContent ?? '',
      said: this.place.querySelector('.tab-verdict')?.textContent ?? '',
      legend: entries,
      copy: (width) => this.drawing.copy(width),
    };
  }

  // Asked again, because something of the tab's own has changed.
  protected again(): void {
    this.shown = '';
    if (this.wanted) this.update(this.wanted);
  }

  private empty(...instead: HTMLElement[]): void {
    this.title.hidden = true;
    fill(this.place, ...instead);
  }

  private nothing(why: string): void {
    this.shown = this.about = '';
    this.empty(h('p', { class: 'nothing' }, why));
    this.quiet();
  }

  private quiet(): void {
    this.busy.hidden = true;
    this.element.removeAttribute('aria-busy');
  }

  private async work(question: Question): Promise<void> {
    try {
      const answer = await this.ask(question);
      if (question.key !== this.wanted?.key) return;
      this.shown = question.key;
      this.title.textContent = this.titleOf(question);
      this.title.hidden = false;
      this.draw(question, answer);
    } catch (error) {
      if (question.key !== this.wanted?.key) return;
      this.shown = '';
      this.fail(question, error);
    }
    this.quiet();
  }

  protected fail(_: Question, error: unknown): void {
    this.empty(h('p', { class: 'nothing no', role: 'alert' }, message(error)));
  }
}
