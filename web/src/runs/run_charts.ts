// The curves of one or several trainings: a colour a run, dashes for the validation.
import type { Run } from '../base/api';
import { button, h } from '../base/dom';
import { bytes, count, percent, precise, rate } from '../base/units';
import { Chart, type Line, type Looks } from './chart';
import { smoothed } from './curves';
import type { Curve, RunLog } from './run_log';

export interface DrawnRun {
  run: Run;
  log: RunLog;
  colour: string;
}

export class RunCharts {
  readonly element: HTMLElement;
  private readonly loss = new Chart(
    'Loss',
    (value) => value.toPrecision(4),
    (value) => value.toPrecision(2),
  );
  private readonly accuracy = new Chart('Accuracy', precise, percent);
  private readonly speed = new Chart('Speed, samples/s', (value) => rate(value, 'samples/s'), count);
  private readonly rate = new Chart(
    'Learning rate',
    (value) => value.toPrecision(3),
    (value) => `${Number(value.toPrecision(2))}`,
  );
  private readonly memory = new Chart('Memory: planned, and the process’s own beyond it', bytes, bytes, true);
  private readonly looks: Looks = { log: false, clipped: true };
  private smooth = 0;
  private runs: DrawnRun[] = [];

  constructor() {
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
    const tools = h(
      'div',
      { class: 'chart-tools' },
      h('label', { for: 'smoothing' }, 'Smoothing'),
      slider,
      toggle('Log scale', 'log'),
      toggle('Clip outliers', 'clipped'),
      h('span', { class: 'note' }, 'Drag over a chart to look closer, double click to go back.'),
    );
    const charts = [this.loss, this.accuracy, this.speed, this.rate, this.memory].map((chart) => chart.element);
    this.element = h('div', {}, tools, h('div', { class: 'charts' }, ...charts));
  }

  show(runs: DrawnRun[]): void {
    this.runs = runs;
    this.draw();
  }

  private draw(): void {
    const [one] = this.runs;
    const alone = this.runs.length < 2;
    const lines = (curves: [name: Curve, what: string, dash: boolean][]): Line[] =>
      this.runs.flatMap(({ run, log, colour }) =>
        curves.map(([name, what, dash]) => ({
          name: alone ? what : `${run.name}${what === '' ? '' : `: ${what}`}`,
          colour,
          curve: dash ? log.get(name) : smoothed(log.get(name), this.smooth),
          dash,
          points: dash,
        })),
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
    this.speed.set(lines([['speed', alone ? 'speed' : '', false]]), { log: false, clipped: this.looks.clipped });
    this.rate.set(lines([['rate', alone ? 'rate' : '', false]]), { log: this.looks.log, clipped: false });
    this.memory.set(one ? memoryLines(one) : [], { log: false, clipped: false });
  }
}

// The plan is of tensors; the process has its code, libraries and buffers beyond it, which is the band between.
function memoryLines({ run, log }: DrawnRun): Line[] {
  const resident = log.get('memory');
  const planned = run.planned_bytes;
  if (planned === undefined) return [{ name: 'the whole process, measured', colour: 'run-0', curve: resident }];
  return [
    { name: 'planned tensors', colour: 'second', curve: resident.map(([step]) => [step, planned]), dash: true },
    { name: 'the whole process, measured', colour: 'run-0', curve: resident },
  ];
}
