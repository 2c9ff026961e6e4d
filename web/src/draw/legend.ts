// What the colours of a picture mean.
import { h } from '../base/dom';

export function legend(entries: [colour: string, name: string][]): HTMLElement {
  return h(
    'ul',
    { class: 'legend' },
    ...entries.map(([colour, name]) => {
      const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = colour;
      return h('li', {}, swatch, name);
    }),
  );
}
