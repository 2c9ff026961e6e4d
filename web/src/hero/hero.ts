// The first screen: the verdict, the load, three numbers, the slider, what would carry more.
import { type Answer, answerOf } from '../base/answer';
import { type AnyFit, askFit, askPlan, Refusal } from '../base/api';
import { fill, h, message } from '../base/dom';
import { fitRequest, placeRequest } from '../base/job';
import { forget, later } from '../base/later';
import type { Question } from '../base/question';
import type { State } from '../base/state';
import { plain } from '../base/words';
import { CarryMore } from './carry_more';
import { type Change, changesOf } from './changes';
import { Hull } from './hull';
import { Numbers } from './numbers';
import { Slider } from './slider';

const onItsWay = 'The answer is on its way …';
const restMilliseconds = 400; // then what takes longer is asked for

export interface HeroEvents {
  slid(value: number): void; // 0: what is typed is no number
  take(change: Change): void;
  back(): void;
  answered(question: Question, answer: Answer | null): void;
  complain(field: string, text: string): boolean; // shown beside the field: true
}

export class Hero {
  readonly element: HTMLElement;
  readonly more: CarryMore;
  private readonly short = h('h2', { class: 'short', 'aria-live': 'polite' }, onItsWay);
  private readonly verdict = h('p', { class: 'verdict' }, onItsWay);
  private readonly bound = h('p', { class: 'bound', hidden: true });
  private readonly hull = new Hull();
  private readonly numbers = new Numbers();
  private readonly slider: Slider;
  private busy = false;
  private again: Question | null = null;
  private newest: Question | null = null;
  private about = '';
  private rest = 0;

  constructor(private readonly events: HeroEvents) {
    this.slider = new Slider((value) => events.slid(value));
    this.more = new CarryMore(
      (change) => events.take(change),
      () => events.back(),
    );
    const load = h('div', { class: 'load' }, this.hull.element, this.slider.element);
    this.element = h(
      'section',
      { class: 'panel hero', 'aria-label': 'The answer' },
      this.short,
      this.verdict,
      this.bound,
      h('div', { class: 'hero-row' }, load, this.numbers.element, this.more.element),
    );
  }

  // Asks anew; while an answer is on its way only the newest question waits. An answer about another network or device
  // is taken away at once: nothing old stands under a new name.
  update(question: Question): void {
    window.clearTimeout(this.rest);
    forget(this);
    this.again = this.newest = question;
    const { state, kind, sample } = question;
    const batch =
      kind === 'serving'
        ? 'Sequences at once'
        : kind === 'tokens'
          ? 'Micro-batch: sequences a step on each device'
          : `Batch: ${sample}s in one step`;
    this.slider.show(kind === 'serving' ? state.concurrency : state.batch, batch);
    const about = `${state.model} ${state.device} ${kind} ${state.mode}`;
    if (about !== this.about) this.clear(onItsWay);
    this.about = about;
    this.element.setAttribute('aria-busy', 'true');
    if (!this.busy) void this.work();
    this.more.ask(kind);
    this.rest = window.setTimeout(() => later(this, () => this.askMore(question)), restMilliseconds);
  }

  // What is typed cannot be asked: nothing that was answered before stays.
  refuse(why: string): void {
    window.clearTimeout(this.rest);
    forget(this);
    this.again = this.newest = null;
    this.about = '';
    this.clear(why, true);
    this.element.removeAttribute('aria-busy');
  }

  private clear(words: string, wrong = false): void {
    this.element.classList.add('empty');
    this.element.classList.remove('failed', 'over');
    this.bound.hidden = true;
    this.verdict.classList.toggle('no', wrong);
    this.verdict.classList.remove('yes');
    fill(this.short, wrong ? 'There is no answer' : words);
    fill(this.verdict, words);
  }

  private async work(): Promise<void> {
    this.busy = true;
    while (this.again !== null) {
      const question: Question = this.again;
      this.again = null;
      const { state, kind, text } = question;
      try {
        const fit = fitRequest(state, kind, text);
        const answers = await askPlan({ ...fit, brief: true }, placeRequest(state, kind, text));
        if (this.isNewest(question)) this.show(question, answerOf(question, answers));
      } catch (error) {
        if (this.isNewest(question)) this.fail(question, error);
      }
    }
    this.busy = false;
    this.element.removeAttribute('aria-busy');
  }

  // While the slider moves each answer is shown as it comes; one about something else is not.
  private isNewest(question: Question): boolean {
    const about = ({ state, kind }: Question): string => `${state.model} ${state.device} ${kind} ${state.mode}`;
    return this.newest !== null && about(question) === about(this.newest);
  }

  private show(question: Question, answer: Answer): void {
    this.element.classList.remove('empty', 'failed');
    this.element.classList.toggle('over', !answer.fits);
    this.verdict.classList.toggle('no', !answer.fits);
    this.verdict.classList.toggle('yes', answer.fits);
    fill(this.short, ...inShort(question, answer));
    fill(this.verdict, answer.verdict);
    this.bound.hidden = answer.lowerBound === '';
    this.bound.textContent = answer.lowerBound;
    this.hull.show(answer);
    this.numbers.show(answer);
    this.slider.showMost(answer.most, answer.lowerBound !== '');
    this.events.answered(question, answer);
  }

  private fail(question: Question, error: unknown): void {
    const field = error instanceof Refusal ? error.field : '';
    const words = plain(message(error));
    const beside = field !== '' && this.events.complain(field, words);
    this.clear(beside ? 'This cannot be asked: see the field that is marked.' : words, true);
    this.element.classList.add('failed');
    this.events.answered(question, null);
  }

  private async askMore(question: Question): Promise<void> {
    if (question.key !== this.newest?.key) return;
    const fit: AnyFit | null = await askFit(fitRequest(question.state, question.kind, question.text)).catch(() => null);
    if (question.key !== this.newest?.key) return;
    this.more.show(fit === null ? [] : changesOf(fit, question.state));
  }
}

// "✓ It fits  Training resnet50, batch 32, on AWS g4dn.xlarge (T4)"
function inShort(question: Question, answer: Answer): Node[] {
  const [sign, words, className] = !answer.fits
    ? ['✕', 'It does not fit', 'no']
    : answer.lowerBound
      ? ['?', 'It may fit', 'maybe']
      : ['✓', 'It fits', 'yes'];
  return [
    h('span', { class: `stamp ${className}` }, h('span', { 'aria-hidden': 'true' }, sign!), ` ${words}`),
    h('span', { class: 'asked' }, ` ${answer.task} ${answer.model}, ${answer.load}, on ${question.where}`),
  ];
}

// What a click on a chip changes.
export const changed = (state: State, change: Change): State => ({ ...state, ...(change.set ?? {}) });
