// A drawing that is as wide as its place, drawn anew when that changes.
import { fill, h } from '../base/dom';

export class Drawing {
  readonly element: HTMLElement;
  private readonly place = h('div', { class: 'drawing' });
  private readonly caption = h('figcaption', {});
  private draw: ((width: number) => Node[]) | null = null;
  private width = 0;

  constructor(className = '') {
    this.element = h('figure', { class: `figure ${className}` }, this.place, this.caption);
    new ResizeObserver(() => {
      if (Math.floor(this.place.clientWidth) !== this.width) this.paint();
    }).observe(this.place);
  }

  show(draw: (width: number) => Node[], caption = ''): void {
    this.draw = draw;
    this.caption.textContent = caption;
    this.caption.hidden = caption === '';
    this.paint();
  }

  // Drawn once more, as wide as that, for a picture; null where there is nothing. It stands in the document, out of
  // sight, as its colours are the style sheet's: whoever asked for it removes it.
  copy(width: number): HTMLElement | null {
    if (!this.draw) return null;
    const place = h('div', { class: 'out-of-sight', 'aria-hidden': 'true' }, ...this.draw(width));
    this.element.append(place);
    return place;
  }

  private paint(): void {
    this.width = Math.floor(this.place.clientWidth);
    if (this.draw && this.width > 0) fill(this.place, ...this.draw(this.width));
  }
}
