// Charts by uPlot, in the colours of the theme, as wide as the place they are in.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { h } from './dom';
import { colour, onTheme } from './theme';
import { bytes } from './units';

const powersOfTwo = Array.from({ length: 50 }, (_, i) => 2 ** i); // round numbers of bytes

export interface Line {
  name: string;
  colour: string; // a colour of the style sheet
  dash?: number[];
  points?: boolean;
}

export class Chart {
  readonly element: HTMLElement;
  private readonly place: HTMLElement;
  private plot: uPlot | null = null;
  private data: uPlot.AlignedData;
  private next = 0;

  constructor(
    title: string,
    private readonly x: string,
    private readonly lines: Line[],
    private readonly show: (value: number) => string, // with its unit
    private readonly tick: (value: number) => string, // at the axis, which is narrow
    private readonly height = 170,
  ) {
    this.place = h('div', { class: 'chart-place', role: 'img', 'aria-label': title });
    this.place.style.height = `${height + (lines.length > 1 ? 58 : 34)}px`; // a legend may have two rows
    this.element = h('figure', { class: 'chart' }, h('figcaption', {}, title), this.place);
    this.data = [[], ...lines.map(() => [])];
    new ResizeObserver(() => this.draw(false)).observe(this.place);
    onTheme(() => this.draw(true));
  }

  // Drawn with the next picture of the screen: numbers need not wait for it.
  set(data: uPlot.AlignedData): void {
    this.data = data;
    cancelAnimationFrame(this.next);
    this.next = requestAnimationFrame(() => this.draw(false));
  }

  private draw(anew: boolean): void {
    const width = Math.floor(this.place.clientWidth);
    if (width === 0) return;
    if (anew || this.plot === null) {
      this.plot?.destroy();
      this.plot = new uPlot(this.options(width), this.data, this.place);
      return;
    }
    if (this.plot.width !== width) this.plot.setSize({ width, height: this.height });
    this.plot.setData(this.data);
  }

  // A chart without numbers has none at its axis either.
  private ticks(places: number[]): string[] {
    return places.map((value) => (this.data[0].length === 0 ? '' : this.tick(value)));
  }

  private options(width: number): uPlot.Options {
    const axis = { stroke: colour('soft'), grid: { stroke: colour('edge'), width: 1 }, ticks: { show: false } };
    const font = '12px system-ui, sans-serif';
    const binary = this.tick === bytes ? { incrs: powersOfTwo } : {};
    return {
      width,
      height: this.height,
      cursor: { drag: { x: false, y: false } },
      legend: { live: true },
      scales: { x: { time: false }, y: { range: (_, low, high) => span(low, high) } },
      axes: [
        { ...axis, font, label: this.x, labelFont: font, labelSize: 18, size: 26 },
        { ...axis, font, size: 74, values: (_, ticks) => this.ticks(ticks), ...binary },
      ],
      series: [
        { label: this.x },
        ...this.lines.map((line) => ({
          label: line.name,
          stroke: colour(line.colour),
          width: 2,
          spanGaps: true,
          dash: line.dash ?? [],
          points: { show: line.points ?? false, size: 6 },
          value: (_: uPlot, value: number | null) => (value === null || value === undefined ? '–' : this.show(value)),
        })),
      ],
    };
  }
}

// From zero, with some air above; a chart without numbers has an empty frame.
function span(low: number, high: number): [number, number] {
  if (low === null || high === null || !Number.isFinite(high)) return [0, 1];
  return [Math.min(0, low), high === 0 ? 1 : high * 1.08];
}
