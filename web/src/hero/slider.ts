// The slider of the batch, or of the sequences that are served at once, with a mark at the largest that fits.
import { button, h } from '../base/dom';
import { count } from '../base/units';

// Every one up to 8, then four to each doubling.
export function positions(most: number): number[] {
  const list = [1, 2, 3, 4, 5, 6, 7, 8];
  for (let size = 8; size < most; size *= 2) for (let part = 5; part <= 8; part += 1) list.push((size * part) / 4);
  return list;
}

const [least, usual, highest] = [32, 1024, 1 << 20];
const thumb = 20; // pixels wide

export class Slider {
  readonly element: HTMLElement;
  private readonly range = h('input', { type: 'range', id: 'batch-slider', min: '0', step: '1' });
  private readonly exact = h('input', { type: 'number', id: 'batch-exact', min: '1', max: '1000000000', step: '1' });
  private readonly label = h('label', { for: 'batch-slider' });
  private readonly wrong = h('p', { class: 'wrong', id: 'batch-wrong', role: 'alert', hidden: true });
  private readonly mark: HTMLButtonElement;
  private list = positions(usual);
  private value = 32;
  private most = 0;

  constructor(private readonly changed: (value: number) => void) {
    this.range.addEventListener('input', () => this.take(this.list[Number(this.range.value)] ?? 1));
    this.exact.setAttribute('aria-describedby', 'batch-wrong');
    this.exact.addEventListener('input', () => this.typed());
    this.mark = button('', () => this.take(this.most), { class: 'mark', hidden: true });
    this.element = h(
      'div',
      { class: 'slider' },
      h(
        'div',
        { class: 'slider-row' },
        this.label,
        h('label', { for: 'batch-exact', class: 'exact-label' }, 'exactly'),
        this.exact,
      ),
      h('div', { class: 'track' }, this.range, this.mark),
      this.wrong,
    );
  }

  // `what`: "Batch, images a step".
  show(value: number, what: string): void {
    this.value = value;
    this.label.textContent = what;
    if (document.activeElement !== this.exact) this.exact.value = `${value}`;
    this.wrong.hidden = true;
    this.place();
  }

  // The largest that fits, once it is known: it sets how far the slider goes.
  showMost(most: number, open: boolean): void {
    this.most = most;
    const wanted = Math.min(highest, Math.max(least, 2 ** Math.ceil(Math.log2(Math.max(1, 4 * most)))));
    this.list = positions(wanted);
    this.mark.hidden = most === 0;
    this.mark.textContent = `max ${count(most)}`;
    this.mark.setAttribute('aria-label', `${open ? 'no more than' : 'largest'} under the line: ${count(most)}`);
    this.place();
  }

  private typed(): void {
    const value = Number(this.exact.value);
    const good = this.exact.value !== '' && Number.isInteger(value) && value >= 1 && value <= 1e9;
    this.wrong.hidden = good;
    this.wrong.textContent = good ? '' : 'A whole number from 1 to 1,000,000,000';
    this.exact.setAttribute('aria-invalid', good ? 'false' : 'true');
    this.changed(good ? value : 0);
    if (good) this.value = value;
    this.place();
  }

  private take(value: number): void {
    this.exact.value = `${value}`;
    this.exact.removeAttribute('aria-invalid');
    this.changed(value);
  }

  private nearest(value: number): number {
    let nearest = 0;
    this.list.forEach((each, i) => {
      if (each <= value) nearest = i;
    });
    return nearest;
  }

  // Between two positions in proportion, so that the mark is where its number is.
  private share(value: number): number {
    const at = this.nearest(value);
    const [low, high] = [this.list[at] ?? 1, this.list[at + 1] ?? value];
    const part = high > low ? Math.min(1, (value - low) / (high - low)) : 0;
    return (at + part) / (this.list.length - 1);
  }

  private place(): void {
    while ((this.list[this.list.length - 1] ?? 0) < this.value && this.value <= highest)
      this.list = positions(this.value);
    this.range.max = `${this.list.length - 1}`;
    this.range.value = `${this.nearest(this.value)}`;
    this.range.setAttribute('aria-valuetext', count(this.value));
    const share = this.share(this.most);
    // Near an end its number stands to one side: beyond it other things are written.
    this.mark.style.setProperty('--lean', share > 0.9 ? '100%' : share < 0.1 ? '0%' : '50%');
    this.mark.style.left = `calc(${thumb / 2}px + ${share} * (100% - ${thumb}px))`;
  }
}
