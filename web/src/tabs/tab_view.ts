// A tab whose answer takes a while: it is asked for when the slider rests and the tab is looked at. What was answered
// before is dimmed meanwhile, and is gone at once where it is of another network or device.
import { fill, h, message } from '../base/dom';
import { forget, later } from '../base/later';
import type { Question } from '../base/question';

const restMilliseconds = 250;

export abstract class TabView<T> {
  readonly element: HTMLElement;
  protected readonly place = h('div', { class: 'tab-content' });
  private readonly busy = h('p', { class: 'busy-note', role: 'status', hidden: true }, 'The answer is on its way …');
  private visible = false;
  private rest = 0;
  private wanted: Question | null = null;
  private shown = '';
  private about = '';

  constructor(readonly name: string) {
    this.element = h('div', { class: `tab-${name}` }, this.busy, this.place);
  }

  // Why there is nothing to be asked; '' when there is.
  protected why(_: Question): string {
    return '';
  }

  protected abstract ask(question: Question): Promise<T>;
  protected abstract draw(question: Question, answer: T): void;

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
    const about = `${question.state.model} ${question.state.device} ${question.kind}`;
    if (about !== this.about) fill(this.place);
    this.about = about;
    this.busy.hidden = false;
    this.element.setAttribute('aria-busy', 'true');
    this.rest = window.setTimeout(() => later(this, () => this.work(question)), restMilliseconds);
  }

  // Asked again, because something of the tab's own has changed.
  protected again(): void {
    this.shown = '';
    if (this.wanted) this.update(this.wanted);
  }

  private nothing(why: string): void {
    this.shown = this.about = '';
    fill(this.place, h('p', { class: 'nothing' }, why));
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
      this.draw(question, answer);
    } catch (error) {
      if (question.key !== this.wanted?.key) return;
      this.shown = '';
      fill(this.place, h('p', { class: 'nothing no', role: 'alert' }, message(error)));
    }
    this.quiet();
  }
}
