// One network on one device: choose both, see memory, time and money. Up to four stand side by side.
import { ask, askPlan, type Choices, type Fit, type FitRequest, type Place, type Plan } from './api';
import { Chart } from './chart';
import { fill, field, h, options } from './dom';
import { forget, later } from './later';
import { MemoryBar } from './memory_bar';
import { chosen, openSizes, type Pair, type State, typed } from './state';
import { bytes, count, dollars, large, rate, seconds } from './units';

export interface CardEvents {
  changed(): void;
  removed(card: Card): void;
  batchWanted(batch: number): void;
}

const restMilliseconds = 400; // then what takes longer is asked for

export class Card {
  readonly element: HTMLElement;
  private readonly model = h('select', { change: () => this.chosen() });
  private readonly device = h('select', { change: () => this.chosen() });
  private readonly verdict = h('p', { class: 'verdict', 'aria-live': 'polite' }, ' ');
  private readonly bound = h('p', { class: 'bound', hidden: true });
  private readonly weight = h('p', { class: 'weight' }, ' ');
  private readonly bar = new MemoryBar();
  private readonly figures = h('dl', { class: 'figures' });
  private readonly others = h('div', { class: 'others' });
  private readonly timeline = new Chart(
    'Memory during the step',
    'operation of the step',
    [
      { name: 'in all', colour: 'accent' },
      { name: 'without workspace', colour: 'activations' },
      { name: 'fixed', colour: 'fixed', dash: [4, 4] },
    ],
    bytes,
    bytes,
  );
  private readonly useLargest = h('button', { type: 'button', class: 'quiet' }, ' ');
  private uploads = new Map<string, string>();
  private largest = 0;
  private busy = false;
  private again: State | null = null;
  private newest: State;
  private rest = 0;

  constructor(
    readonly pair: Pair,
    state: State,
    private readonly events: CardEvents,
  ) {
    this.newest = state;
    this.useLargest.addEventListener('click', () => this.events.batchWanted(this.largest));
    const remove = h('button', { type: 'button', class: 'quiet remove' }, 'Remove');
    remove.addEventListener('click', () => this.events.removed(this));
    this.element = h(
      'article',
      { class: 'card' },
      h('div', { class: 'choose' }, field('Network', this.model), field('Device', this.device), remove),
      this.weight,
      this.verdict,
      this.bound,
      this.bar.element,
      h('div', { class: 'largest' }, this.useLargest),
      this.figures,
      this.timeline.element,
      this.others,
    );
  }

  // `uploads`: names of dropped files by the server's name for them.
  offer(choices: Choices, uploads: Map<string, string>): void {
    this.uploads = uploads;
    const models: [string, string][] = [...uploads].map(([name, file]) => [name, `${file} (dropped)`]);
    for (const model of choices.models) models.push([model.name, `${model.name} · ${model.input}`]);
    if (!models.some(([name]) => name === this.pair.model)) models.unshift([this.pair.model, `${this.pair.model} ?`]);
    options(this.model, models, this.pair.model);
    const devices: [string, string][] = choices.devices.map((device) => [
      device.name,
      `${device.name === 'this' ? 'this machine' : device.name}${memoryOf(device)}`,
    ]);
    if (!devices.some(([name]) => name === this.pair.device)) devices.unshift([this.pair.device, this.pair.device]);
    options(this.device, devices, this.pair.device);
  }

  select(model: string): void {
    this.pair.model = model;
  }

  focus(): void {
    this.model.focus();
  }

  // Asks anew; while an answer is on its way only the newest question waits.
  update(state: State): void {
    window.clearTimeout(this.rest);
    forget(this);
    this.again = this.newest = state;
    if (!this.busy) void this.work();
    this.rest = window.setTimeout(() => this.askAlternatives(state), restMilliseconds);
  }

  // What the server calls "the file": it knows no name of it.
  private get file(): string {
    return this.uploads.get(this.pair.model) ?? 'the file';
  }

  private chosen(): void {
    this.pair.model = this.model.value;
    this.pair.device = this.device.value;
    this.events.changed();
  }

  private request(state: State): FitRequest {
    const trains = state.mode === 'train';
    return {
      model: this.pair.model,
      device: this.pair.device,
      batch: state.batch,
      mode: chosen(state.mode),
      dtype: state.dtype,
      framework: chosen(state.framework),
      load_line: typed(state.loadLine),
      dim: openSizes(state, this.pair.model),
      optimizer: trains ? state.optimizer : undefined,
      recompute: trains ? typed(state.recompute) : undefined,
    };
  }

  private async work(): Promise<void> {
    this.busy = true;
    this.element.setAttribute('aria-busy', 'true');
    while (this.again !== null) {
      const state = this.again;
      this.again = null;
      const request = this.request(state);
      const job = {
        ...request,
        samples: typed(state.samples),
        epochs: typed(state.epochs),
        price: typed(state.price),
      };
      const { model = '', batch, mode, dtype, dim } = request;
      const network = { model, batch, mode, dtype, dim, top: 1 };
      try {
        this.show(state, await askPlan({ ...request, brief: true }, job, network));
      } catch (error) {
        this.fail(error instanceof Error ? error.message : String(error));
      }
    }
    this.busy = false;
    this.element.removeAttribute('aria-busy');
  }

  private show(state: State, { fit, place, weigh }: Plan): void {
    this.element.classList.remove('failed');
    this.verdict.classList.toggle('no', !fit.fits);
    this.verdict.textContent = fit.sentences[0] ?? '';
    this.bound.hidden = !fit.lower_bound;
    this.bound.textContent = fit.lower_bound_reason ?? '';
    this.weight.textContent =
      `${fit.lower_bound ? 'at least ' : ''}${large(weigh.params)} parameters, ` +
      (state.mode === 'train'
        ? `${large(weigh.train_flops)}FLOP a training step`
        : `${large(weigh.flops)}FLOP a step, forward only`);
    this.bar.show(fit);
    this.largest = fit.largest_batch;
    this.useLargest.disabled = fit.largest_batch === 0;
    this.useLargest.textContent =
      fit.largest_batch === 0
        ? 'Not even one sample is under the line'
        : fit.lower_bound
          ? `No batch above ${count(fit.largest_batch)} samples is under the line`
          : `Largest batch under the line: ${count(fit.largest_batch)} samples`;
    const { tensors, fixed } = fit.timeline_parts;
    this.timeline.set([
      fit.timeline.map((_, i) => i + 1),
      fit.timeline,
      tensors.map((value) => value + fixed),
      tensors.map(() => fixed),
    ]);
    this.showFigures(state, place);
  }

  private showFigures(state: State, place: Place): void {
    const at = place.ranking[0];
    const rows: [string, string][] = [];
    if (at !== undefined && place.lower_bound) rows.push(['Time and money', 'lower bounds']);
    if (at !== undefined) {
      rows.push(['One step', seconds(at.step_seconds)], ['Speed', rate(at.samples_per_second, 'samples/s')]);
      if (state.mode === 'train') rows.push(['One epoch', seconds(at.epoch_seconds)]);
      if (at.latency_seconds !== undefined) rows.push(['One sample alone', seconds(at.latency_seconds)]);
      rows.push(['The whole job', seconds(at.total_seconds)]);
      rows.push(['Cost', at.cost === null ? 'no price known' : dollars(at.cost)]);
      rows.push(['Bound by', at.bound_by.replaceAll('-', ' ')], ['Framework', at.framework]);
    }
    fill(this.figures, ...rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  }

  private askAlternatives(state: State): void {
    if (this.busy) this.rest = window.setTimeout(() => this.askAlternatives(state), restMilliseconds);
    else later(this, () => this.showAlternatives(state));
  }

  private async showAlternatives(state: State): Promise<void> {
    const request = this.request(state);
    const asked = JSON.stringify(request);
    const fit = await ask<Fit>('fit', request).catch(() => null);
    if (fit === null || asked !== JSON.stringify(this.request(this.newest))) return;
    const rows = fit.alternatives.map((other) =>
      h(
        'tr',
        {},
        h('td', {}, other.change),
        h('td', {}, count(other.batch)),
        h('td', {}, other.slowdown === null ? '?' : `× ${other.slowdown.toFixed(2)}`),
      ),
    );
    const head = h('tr', {}, h('th', {}, 'What would carry more'), h('th', {}, 'Samples'), h('th', {}, 'Time each'));
    const notes = fit.sentences.slice(1).map((sentence) => h('li', {}, sentence));
    fill(
      this.others,
      rows.length > 0 ? h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows)) : null,
      h('ul', { class: 'notes' }, ...notes),
    );
  }

  private fail(message: string): void {
    this.element.classList.add('failed');
    this.verdict.classList.add('no');
    this.bound.hidden = true;
    this.verdict.textContent = message.replace(/^the file\b/, this.file);
  }
}

function memoryOf(device: Choices['devices'][number]): string {
  if (device.memory_bytes === undefined) return '';
  return ` · ${device.count > 1 ? `${device.count} × ` : ''}${bytes(device.memory_bytes)}`;
}
