// The curves of one or several trainings: a colour a run, dashes for the validation.
import type { Run } from '../base/api';
import { button, h } from '../base/dom';
import { bytes, count, percent, precise, rate, roundBytes } from '../base/units';
import { Chart, type Line, type Looks } from './chart';
import { type Curve, smoothed } from './curves';
import type { Curve as CurveName, RunLog } from './run_log';

export interface DrawnRun {
  run: Run;
  log: RunLog;
  colour: string;
  sample: string; // what one is called: image, sequence
}

export class RunCharts {
  readonly element: HTMLElement;
  private readonly loss = new Chart(
    'Loss',
    (value) => value.toPrecision(4),
    (value) => value.toPrecision(2),
  );
  private readonly accuracy = new Chart('Accuracy', precise, percent);
  private readonly speed = new Chart('Speed', (value) => rate(value, `${this.sample}s/s`), count);
  private readonly rate = new Chart(
    'Learning rate',
    (value) => value.toPrecision(3),
    (value) => `${Number(value.toPrecision(2))}`,
  );
  private readonly memory = new Chart('Memory', bytes, roundBytes, true);
  private readonly looks: Looks = { log: false, clipped: true };
  private smooth = 0;
  private runs: DrawnRun[] = [];

  // `tools`: smoothing, scales; without them the curves alone.
  constructor(tools = true) {
    const slider = h('input', { type: 'range', min: '0', max: '0.98', step: '0.02', id: 'smoothing' });
    slider.value = '0';
    slider.addEventListener('input', () => {
      this.smooth = Number(slider.value);
      this.draw();
    });
    const toggle = (text: string, name: keyof Looks): HTMLButtonElement => {
      const chip = button(
        text,
        () => {
          this.looks[name] = !this.looks[name];
          chip.setAttribute('aria-pressed', `${this.looks[name]}`);
          this.draw();
        },
        { class: 'chip', 'aria-pressed': `${this.looks[name]}` },
      );
      return chip;
    };
    const bar = h(
      'div',
      { class: 'chart-tools' },
      h('label', { for: 'smoothing' }, 'Smoothing'),
      slider,
      toggle('Log scale', 'log'),
      toggle('Clip outliers', 'clipped'),
      h('span', { class: 'note' }, 'Drag over a chart to look closer, double click to go back.'),
    );
    const charts = [this.loss, this.accuracy, this.speed, this.rate, this.memory].map((chart) => chart.element);
    this.element = h('div', {}, tools ? bar : null, h('div', { class: 'charts' }, ...charts));
  }

  show(runs: DrawnRun[]): void {
    this.runs = runs;
    this.draw();
  }

  // Of several runs that do not learn from the same: samples.
  private get sample(): string {
    const names = new Set(this.runs.map(({ sample }) => sample));
    return names.size === 1 ? [...names][0]! : 'sample';
  }

  private draw(): void {
    const alone = this.runs.length < 2;
    const lines = (curves: [name: CurveName, what: string, dash: boolean][]): Line[] =>
      this.runs.flatMap(({ run, log, colour }) =>
        curves.map(([name, what, dash]) => {
          const curve = dash ? log.get(name) : smoothed(log.get(name), this.smooth);
          return {
            name: alone ? what : `${run.name}${what === '' ? '' : `: ${what}`}`,
            colour,
            curve,
            dash,
            points: dash || curve.length < 3, // no line is seen yet
          };
        }),
      );
    this.loss.set(
      lines([
        ['loss', 'training', false],
        ['val_loss', 'validation', true],
      ]),
      this.looks,
    );
    this.accuracy.set(
      lines([
        ['accuracy', 'training, this step', false],
        ['val_accuracy', 'validation', true],
      ]),
      { ...this.looks, log: false, clipped: false },
    );
    this.speed.entitle(`Speed, ${this.sample}s/s`);
    this.speed.set(lines([['speed', alone ? 'speed' : '', false]]), { log: false, clipped: this.looks.clipped });
    this.rate.set(lines([['rate', alone ? 'rate' : '', false]]), { log: this.looks.log, clipped: false });
    const memory = this.runs.flatMap((each) => memoryLines(each, alone));
    this.memory.entitle(memoryTitle(alone, memory));
    this.memory.set(memory, { log: false, clipped: false });
  }
}

const memoryTitle = (alone: boolean, lines: Line[]): string => {
  if (!lines.some(({ dash }) => dash)) return 'Memory of the process';
  return alone ? 'Memory: planned, and the process’s own beyond it' : 'Memory: planned (dashes) and of the process';
};

// The plan is of tensors; the process has its code, libraries and buffers beyond it: the band between the two, where
// one run is shown.
function memoryLines({ run, log, colour }: DrawnRun, alone: boolean): Line[] {
  const resident = log.get('memory');
  const planned = run.planned_bytes;
  const whose = alone ? '' : `${run.name}: `;
  const points = resident.length < 3; // no line is seen yet
  const measured: Line = { name: `${whose}the whole process, measured`, colour, curve: resident, points };
  if (planned === undefined) return [measured];
  const flat: Curve = resident.map(([step]) => [step, planned]);
  const band = alone ? 'part-fixed' : undefined;
  return [
    { name: `${whose}planned tensors`, colour, curve: flat, dash: true, points },
    { ...measured, band },
  ];
}
