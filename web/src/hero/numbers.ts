// Three large numbers: how much it carries, how fast it is, what it costs; each with how far off it has been.
import type { Answer, Big } from '../base/answer';
import { fill, h } from '../base/dom';

export class Numbers {
  readonly element = h('dl', { class: 'numbers' });

  show(answer: Answer): void {
    fill(this.element, ...answer.big.map((big, i) => block(big, !answer.fits && i > 0)));
  }
}

// Past the line speed and money are those of a step that would not run: they are dimmed and say so.
function block(big: Big, dimmed: boolean): HTMLElement {
  return h(
    'div',
    { class: dimmed ? 'number dimmed' : 'number' },
    h('dt', {}, big.label),
    h('dd', { class: 'value' }, h('b', {}, big.value), ` ${big.unit}`),
    big.more ? h('dd', { class: 'more' }, big.more) : null,
    big.off ? h('dd', { class: 'off' }, big.off) : null,
  );
}
