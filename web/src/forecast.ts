// The forecast for more workers, of the first card's network and device. Shown where the program answers `scale`.
import { ask, type Choices, type Scale, type ScaleRequest, type ScaleRun } from './api';
import { Chart } from './chart';
import { fill, field, h } from './dom';
import { forget, later } from './later';
import { chosen, openSizes, type State, typed } from './state';
import { count, dollars, percent, rate, seconds } from './units';

const workers = '1..64';
const restMilliseconds = 400;

export class Forecast {
  readonly element: HTMLElement;
  private readonly table = h('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'The table' });
  private readonly chart = new Chart(
    'Speed by the number of workers, images/s',
    'workers',
    [
      { name: 'forecast', colour: 'accent', points: true },
      { name: 'knee', colour: 'second', points: true },
    ],
    (value) => rate(value, 'images/s'),
    count,
  );
  private rest = 0;

  constructor(
    private readonly state: State,
    choices: Choices,
    private readonly changed: () => void,
  ) {
    const link = this.input('link', { placeholder: 'the device’s own', list: 'links' });
    const known = choices.links.map((value) => h('option', { value }));
    const critical = this.input('critical', { type: 'number', min: '1', placeholder: 'not known' });
    this.element = h(
      'section',
      { class: 'panel', 'aria-label': 'More workers' },
      h('h2', {}, 'More workers'),
      h(
        'div',
        { class: 'controls flat' },
        field('Link between them', link),
        field('Critical batch, samples', critical),
      ),
      h('datalist', { id: 'links' }, ...known),
      this.chart.element,
      this.table,
    );
  }

  update(state: State): void {
    window.clearTimeout(this.rest);
    forget(this);
    this.element.hidden = state.mode !== 'train';
    if (this.element.hidden) return;
    this.rest = window.setTimeout(() => later(this, () => this.work(state)), restMilliseconds);
  }

  private input(name: 'link' | 'critical', attributes: Record<string, string>): HTMLInputElement {
    const input = h('input', attributes);
    input.value = this.state[name];
    input.addEventListener('input', () => {
      if (!input.checkValidity()) return;
      this.state[name] = input.value;
      this.changed();
    });
    return input;
  }

  private async work(state: State): Promise<void> {
    const { model, device } = state.pairs[0] ?? { model: '', device: '' };
    const request: ScaleRequest = {
      model,
      device,
      batch: state.batch,
      dtype: state.dtype,
      optimizer: state.optimizer,
      recompute: typed(state.recompute),
      framework: chosen(state.framework),
      load_line: typed(state.loadLine),
      samples: typed(state.samples),
      epochs: typed(state.epochs),
      price: typed(state.price),
      workers,
      link: chosen(state.link),
      critical_batch: typed(state.critical),
      dim: openSizes(state, model),
    };
    try {
      this.show(await ask<Scale>('scale', request));
    } catch (error) {
      fill(this.table, h('p', { class: 'verdict no' }, error instanceof Error ? error.message : String(error)));
    }
  }

  private show(scale: Scale): void {
    const { knee } = scale;
    const all = [...scale.runs];
    if (knee && !all.some((run) => run.workers === knee.workers)) all.push(knee);
    all.sort((a, b) => a.workers - b.workers);
    this.chart.set([
      all.map((run) => run.workers),
      all.map((run) => run.images_per_second),
      all.map((run) => (run.workers === knee?.workers ? run.images_per_second : null)),
    ]);
    const names = ['Workers', 'Batch of all', 'One step', 'Images/s', 'Efficiency', 'The whole job', 'Cost'];
    const head = h('tr', {}, ...names.map((name) => h('th', {}, name)));
    const rows = all.map((run) => row(run, run.workers === knee?.workers));
    const notes = [...scale.verdict.reasons, ...scale.notes].map((sentence) => h('li', {}, sentence));
    fill(
      this.table,
      scale.lower_bound ? h('p', { class: 'bound' }, scale.lower_bound_reason ?? '') : null,
      h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows)),
      h('ul', { class: 'notes' }, ...notes),
    );
  }
}

function row(run: ScaleRun, isKnee: boolean): HTMLElement {
  const cells = [
    `${count(run.workers)}${isKnee ? ' (knee)' : ''}`,
    `${count(run.global_batch)} samples`,
    seconds(run.step_seconds),
    count(Math.round(run.images_per_second)),
    percent(run.efficiency),
    seconds(run.total_seconds),
    run.cost === null ? 'no price known' : dollars(run.cost),
  ];
  return h('tr', { class: isKnee ? 'knee' : '' }, ...cells.map((cell) => h('td', {}, cell)));
}
