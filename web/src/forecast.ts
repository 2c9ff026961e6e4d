// The forecast for more workers. Shown where the program answers the verb `scale`.
import { ask, type Scale } from './api';
import { Chart } from './chart';
import { fill, h } from './dom';
import type { State } from './state';
import { count, dollars, percent, rate, seconds } from './units';

const workers = '1,2,4,8,16,32';
const restMilliseconds = 400;

export class Forecast {
  readonly element: HTMLElement;
  private readonly table = h('div', { class: 'scroll' });
  private readonly chart = new Chart(
    'Speed by the number of workers, samples/s',
    'workers',
    [
      { name: 'forecast', colour: 'accent', points: true },
      { name: 'without any loss', colour: 'soft', dash: [4, 4] },
    ],
    (value) => rate(value, 'samples/s'),
    count,
  );
  private rest = 0;

  constructor() {
    this.element = h('section', { class: 'panel' }, h('h2', {}, 'More workers'), this.chart.element, this.table);
  }

  update(state: State): void {
    window.clearTimeout(this.rest);
    this.rest = window.setTimeout(() => void this.work(state), restMilliseconds);
  }

  private async work(state: State): Promise<void> {
    const { model, device } = state.pairs[0] ?? { model: '', device: '' };
    this.element.hidden = state.mode !== 'train';
    if (this.element.hidden) return;
    const { dtype, optimizer, samples, epochs } = state;
    const flags = { model, device, workers, batch: `${state.batch}`, dtype, optimizer, samples, epochs };
    try {
      this.show(await ask<Scale>('scale', flags));
    } catch (error) {
      fill(this.table, h('p', { class: 'verdict no' }, error instanceof Error ? error.message : String(error)));
    }
  }

  private show(scale: Scale): void {
    const one = scale.runs[0];
    const ideal = scale.runs.map((run) => (one ? (one.images_per_second / one.workers) * run.workers : null));
    const speeds = scale.runs.map((run) => run.images_per_second);
    this.chart.set([scale.runs.map((run) => run.workers), speeds, ideal]);
    const head = ['Workers', 'Speed', 'Efficiency', 'The whole job', 'Cost'].map((name) => h('th', {}, name));
    const rows = scale.runs.map((run) =>
      h(
        'tr',
        { class: run.workers === scale.knee ? 'knee' : '' },
        h('td', {}, `${count(run.workers)}${run.workers === scale.knee ? ' (knee)' : ''}`),
        h('td', {}, rate(run.images_per_second, 'samples/s')),
        h('td', {}, percent(run.efficiency)),
        h('td', {}, run.total_seconds === undefined ? '–' : seconds(run.total_seconds)),
        h('td', {}, run.cost === undefined || run.cost === null ? '–' : dollars(run.cost)),
      ),
    );
    const notes = (scale.sentences ?? []).map((sentence) => h('li', {}, sentence));
    fill(
      this.table,
      h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows)),
      h('ul', { class: 'notes' }, ...notes),
    );
  }
}
