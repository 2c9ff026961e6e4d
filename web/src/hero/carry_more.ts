// What would carry more, as chips: one click does it, another undoes it.
import { button, fill, h } from '../base/dom';
import type { Kind } from '../base/job';
import type { Change } from './changes';

const mostChips = 6;
const nothingMore = 'No change that is known here makes room for more.';
const headings: Record<Kind, string> = {
  samples: 'A larger batch fits with',
  tokens: 'A larger micro-batch fits with',
  serving: 'More sequences fit with',
};

export class CarryMore {
  readonly element: HTMLElement;
  private readonly chips = h('div', { class: 'chips' });
  private readonly heading = h('h3', {}, headings.samples);
  private readonly undoing = button('Undo', () => this.undo(), { class: 'undo', hidden: true });
  private done: string[] = [];

  constructor(
    private readonly take: (change: Change) => void,
    private readonly back: () => void,
  ) {
    this.element = h(
      'section',
      { class: 'carry-more', 'aria-label': 'What would carry more' },
      this.heading,
      this.chips,
      this.undoing,
    );
    this.ask('samples');
  }

  // Until the answer for the new state is there nothing of the old one is offered.
  ask(kind: Kind): void {
    this.heading.textContent = headings[kind];
    this.heading.hidden = false;
    fill(this.chips, h('span', { class: 'looking' }, 'looking …'));
  }

  show(changes: Change[]): void {
    this.heading.hidden = changes.length === 0;
    if (changes.length === 0) return fill(this.chips, h('span', { class: 'looking' }, nothingMore));
    fill(this.chips, ...changes.slice(0, mostChips).map((change) => this.chip(change)));
  }

  // The page was changed otherwise: what was done by chips is past.
  forget(): void {
    this.done = [];
    this.name();
  }

  private chip(change: Change): HTMLElement {
    if (change.set === null) return h('span', { class: 'chip still', title: change.whole }, change.text);
    return button(change.text, () => this.doIt(change), { class: 'chip', title: change.whole });
  }

  private doIt(change: Change): void {
    this.done.push(change.text.replace(/ →.*/, ''));
    this.name();
    this.take(change);
  }

  private undo(): void {
    this.done.pop();
    this.name();
    this.back();
  }

  private name(): void {
    const last = this.done[this.done.length - 1];
    this.undoing.hidden = last === undefined;
    this.undoing.textContent = `Undo: ${last ?? ''}`;
  }
}
