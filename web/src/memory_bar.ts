// The memory bar: what is in the memory at the peak, part by part, against the load line and the memory's end.
import type { Fit } from './api';
import { fill, h } from './dom';
import { bytes, percent } from './units';

const parts = ['parameters', 'gradients', 'optimizer', 'activations', 'workspace', 'input', 'fixed'];

export class MemoryBar {
  readonly element: HTMLElement;
  private readonly segments = new Map<string, HTMLElement>();
  private readonly amounts = new Map<string, HTMLElement>();
  private readonly hull = h('div', { class: 'hull' });
  private readonly line = h('div', { class: 'load-line' });
  private readonly end = h('div', { class: 'memory-end' });
  private readonly scale = h('div', { class: 'bar-scale' });
  private readonly bar: HTMLElement;

  constructor() {
    const legend = h('dl', { class: 'legend' });
    for (const part of parts) {
      const segment = h('div', { class: `segment part-${part}` });
      const amount = h('dd', {}, '–');
      this.segments.set(part, segment);
      this.amounts.set(part, amount);
      this.hull.append(segment);
      legend.append(h('div', {}, h('dt', {}, h('span', { class: `swatch part-${part}` }), part), amount));
    }
    this.bar = h('div', { class: 'bar', role: 'img' }, this.hull, this.line, this.end);
    this.element = h('div', { class: 'memory' }, this.bar, this.scale, legend);
  }

  show(fit: Fit): void {
    const whole = Math.max(fit.memory_bytes, fit.peak_bytes) * 1.02;
    const share = (value: number): string => `${(100 * value) / whole}%`;
    for (const part of parts) {
      const amount = fit.breakdown[part] ?? 0;
      this.segments.get(part)!.style.width = share(amount);
      this.amounts.get(part)!.textContent = bytes(amount);
    }
    this.line.style.left = share(fit.line_bytes);
    this.end.style.left = share(fit.memory_bytes);
    this.bar.classList.toggle('over', !fit.fits);
    const line = `load line ${percent(fit.load_line)} = ${bytes(fit.line_bytes)}`;
    const peak = fit.lower_bound ? 'peak, at least' : 'peak';
    this.bar.setAttribute('aria-label', `${peak} ${bytes(fit.peak_bytes)}, ${line}, memory ${bytes(fit.memory_bytes)}`);
    fill(
      this.scale,
      h('span', {}, `${peak} `, h('b', {}, bytes(fit.peak_bytes))),
      h('span', { class: 'line-text' }, line),
      h('span', {}, `memory ${bytes(fit.memory_bytes)}`),
    );
  }
}
