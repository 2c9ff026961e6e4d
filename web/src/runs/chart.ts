// Charts of trainings by uPlot, in the colours of the theme. Drag over steps to look closer, double click to go back.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { h } from '../base/dom';
import { colour, onTheme } from '../base/theme';
import { type Curve, joined, usualRange } from './curves';

export interface Line {
  name: string;
  colour: string; // a colour of the style sheet
  curve: Curve;
  dash?: boolean; // of the validation
  points?: boolean;
  band?: string; // a colour of the style sheet: filled down to the line before it
}

export interface Looks {
  log: boolean;
  clipped: boolean;
}

export class Chart {
  readonly element: HTMLElement;
  private readonly place: HTMLElement;
  private readonly title: HTMLElement;
  private plot: uPlot | null = null;
  private lines: Line[] = [];
  private looks: Looks = { log: false, clipped: true };
  private drawn = '';
  private next = 0;

  constructor(
    title: string,
    private readonly show: (value: number) => string, // with its unit
    private readonly tick: (value: number) => string, // at the axis, which is narrow
    private readonly memory = false, // ticks at powers of two
    private readonly height = 180,
  ) {
    this.place = h('div', { class: 'chart-place', role: 'img', 'aria-label': title });
    this.title = h('figcaption', {}, title);
    this.element = h('figure', { class: 'chart' }, this.title, this.place);
    new ResizeObserver(() => this.draw()).observe(this.place);
    onTheme(() => {
      this.drawn = '';
      this.draw();
    });
  }

  entitle(title: string): void {
    this.title.textContent = title;
    this.place.setAttribute('aria-label', title);
  }

  set(lines: Line[], looks: Looks): void {
    this.lines = lines.filter((line) => line.curve.length > 0);
    this.looks = looks;
    cancelAnimationFrame(this.next);
    this.next = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    const width = Math.floor(this.place.clientWidth);
    if (width === 0) return;
    const wanted = JSON.stringify([this.lines.map(({ curve: _, ...line }) => line), this.looks]);
    const data = joined(this.lines.map((line) => line.curve)) as uPlot.AlignedData;
    if (this.plot === null || wanted !== this.drawn) {
      this.plot?.destroy();
      this.plot = new uPlot(this.options(width), data, this.place);
      this.drawn = wanted;
      return;
    }
    if (this.plot.width !== width) this.plot.setSize({ width, height: this.height });
    const closer =
      this.plot.scales.x!.min !== this.plot.data[0][0] ||
      this.plot.scales.x!.max !== this.plot.data[0][this.plot.data[0].length - 1];
    this.plot.setData(data, !(closer && this.plot.data[0].length > 1)); // a reader who looks closer stays there
  }

  private range(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null || !Number.isFinite(high)) return [0, 1];
    if (this.looks.log) return [low / 1.2, high * 1.2];
    const usual = this.looks.clipped ? usualRange(this.lines.map((line) => line.curve)) : null;
    const top = usual ? Math.min(high, usual[1]) : high;
    return [Math.min(0, low), top === 0 ? 1 : top * 1.08];
  }

  private options(width: number): uPlot.Options {
    const axis = { stroke: colour('soft'), grid: { stroke: colour('edge'), width: 1 }, ticks: { show: false } };
    const font = '12px system-ui, sans-serif';
    return {
      width,
      height: this.height,
      cursor: { drag: { x: true, y: false } },
      legend: { live: true, markers: { dash: (_, i) => (this.lines[i - 1]?.dash ? 'dashed' : 'solid') } },
      scales: {
        x: { time: false },
        y: { distr: this.looks.log ? 3 : 1, range: (_, low, high) => this.range(low, high) },
      },
      axes: [
        {
          ...axis,
          font,
          label: 'step',
          labelFont: font,
          labelSize: 18,
          size: 26,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6],
        },
        {
          ...axis,
          font,
          size: 74,
          ...(this.memory ? { incrs: Array.from({ length: 50 }, (_, power) => 2 ** power) } : {}),
          values: (_, ticks) => ticks.map((value) => (this.lines.length === 0 ? '' : this.tick(value))),
        },
      ],
      series: [{ label: 'step' }, ...this.lines.map((line) => this.series(line))],
      bands: this.lines.flatMap(({ band }, i): uPlot.Band[] =>
        band && i > 0 ? [{ series: [i + 1, i], fill: `${colour(band)}55` }] : [],
      ),
    };
  }

  private series(line: Line): uPlot.Series {
    return {
      label: line.name,
      stroke: colour(line.colour),
      width: 2,
      spanGaps: true,
      dash: line.dash ? [6, 4] : [],
      points: { show: line.points ?? false, size: 6 },
      value: (_: uPlot, value: number | null) => (value === null || value === undefined ? '–' : this.show(value)),
    };
  }
}
