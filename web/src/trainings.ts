// Trainings of the runs folder: the list, and one of them as it goes on. News come by server-sent events; a page that
// is not looked at closes its stream, so that many open pages cost nothing.
import { type LogLine, type Run, Refusal, stopRun } from './api';
import { Chart } from './chart';
import { fill, h } from './dom';
import { RunLog } from './run_log';
import type { State } from './state';
import { bytes, count, percent, precise, rate, seconds } from './units';

export class Trainings {
  readonly element: HTMLElement;
  private readonly list = h('ul', { class: 'runs' });
  private readonly title = h('h2', {}, 'No training is chosen');
  private readonly facts = h('dl', { class: 'figures' });
  private readonly message = h('p', { class: 'verdict', 'aria-live': 'polite' }, ' ');
  private readonly stop = h('button', { type: 'button', class: 'danger' }, 'Stop and save');
  private readonly loss = new Chart(
    'Loss',
    'step',
    [{ name: 'training', colour: 'accent' }, { name: 'validation', colour: 'second', points: true }],
    (value) => value.toPrecision(4),
    (value) => value.toPrecision(2),
  );
  private readonly accuracy = new Chart(
    'Accuracy',
    'step',
    [{ name: 'training, this step', colour: 'accent' }, { name: 'validation', colour: 'second', points: true }],
    precise,
    percent,
  );
  private readonly speed = new Chart(
    'Speed, images/s',
    'step',
    [{ name: 'speed', colour: 'accent' }],
    (value) => rate(value, 'images/s'),
    count,
  );
  private readonly memory = new Chart(
    'Memory against the plan',
    'step',
    [{ name: 'resident', colour: 'accent' }, { name: 'planned', colour: 'second', dash: [6, 4] }],
    bytes,
    bytes,
  );
  private runs: Run[] = [];
  private folder = '';
  private log = new RunLog();
  private source: EventSource | null = null;
  private visible = false;

  constructor(
    private readonly state: State,
    private readonly changed: () => void,
  ) {
    this.stop.addEventListener('click', () => void this.askToStop());
    const charts = [this.loss, this.accuracy, this.speed, this.memory].map((chart) => chart.element);
    this.element = h(
      'div',
      { class: 'trainings' },
      h('nav', { 'aria-label': 'Trainings' }, h('h2', {}, 'Trainings'), this.list),
      h(
        'section',
        { class: 'run' },
        h('div', { class: 'run-head' }, this.title, this.stop),
        this.message,
        this.facts,
        h('div', { class: 'charts' }, ...charts),
      ),
    );
    document.addEventListener('visibilitychange', () => this.listen());
    this.showList();
    this.showRun();
  }

  show(visible: boolean): void {
    this.visible = visible;
    this.listen();
  }

  private listen(): void {
    this.source?.close();
    this.source = null;
    if (!this.visible || document.hidden) return;
    this.log = new RunLog();
    const run = /^\d+$/.test(this.state.run) ? this.state.run : '';
    this.source = new EventSource(`/api/runs/feed?run=${run}`);
    this.source.addEventListener('open', () => (this.log = new RunLog()));
    this.source.addEventListener('runs', (event) => {
      const news = JSON.parse((event as MessageEvent<string>).data) as { runs: Run[]; folder: string };
      this.runs = news.runs;
      this.folder = news.folder;
      this.showList();
      this.showRun();
    });
    this.source.addEventListener('log', (event) => {
      this.log.add(JSON.parse((event as MessageEvent<string>).data) as LogLine[]);
      this.showRun();
    });
    this.source.addEventListener('error', () => {
      if (this.source?.readyState === EventSource.CLOSED) this.message.textContent = 'No news come from the server.';
    });
  }

  private choose(run: Run): void {
    this.state.run = run.id;
    this.changed();
    this.showList();
    this.listen();
  }

  private showList(): void {
    if (this.runs.length === 0) {
      const where = this.folder === '' ? '' : ` in ${this.folder}`;
      fill(this.list, h('li', { class: 'none' }, `There is no training${where}. Start one: plimsoll train MODEL`));
      return;
    }
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.run : undefined;
    fill(
      this.list,
      ...this.runs.map((run) => {
        const button = h(
          'button',
          { type: 'button', 'aria-pressed': run.id === this.state.run ? 'true' : 'false', 'data-run': run.id },
          h('span', { class: 'run-name' }, run.name),
          h('span', { class: run.running ? 'running' : 'past' }, run.running ? 'running' : 'ended'),
        );
        button.addEventListener('click', () => this.choose(run));
        return h('li', {}, button);
      }),
    );
    if (focused !== undefined) this.list.querySelector<HTMLElement>(`[data-run="${CSS.escape(focused)}"]`)?.focus();
  }

  private showRun(): void {
    const run = this.runs.find((entry) => entry.id === this.state.run);
    this.title.textContent = run?.name ?? 'No training is chosen';
    this.stop.hidden = run?.running !== true;
    const rows: [string, string][] = [];
    if (run) {
      rows.push(['Network', run.model ?? '–'], ['Data', run.data?.name ?? '–']);
      rows.push(['Batch', run.batch === undefined ? '–' : `${count(run.batch)} samples`]);
      rows.push(['Step', count(this.log.step)]);
    }
    const { last, test } = this.log;
    if (last) {
      rows.push(['Epochs done', `${last.epoch}`], ['Last epoch', seconds(Number(last.seconds))]);
      if (typeof last.val_accuracy === 'number') rows.push(['Validation accuracy', precise(last.val_accuracy)]);
    }
    if (typeof test?.accuracy === 'number') rows.push(['Test accuracy', precise(test.accuracy)]);
    fill(this.facts, ...rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
    this.loss.set(this.log.curves(['loss', 'val_loss']));
    this.accuracy.set(this.log.curves(['accuracy', 'val_accuracy']));
    this.speed.set(this.log.curves(['speed']));
    const [steps, resident] = this.log.curves(['memory']);
    const planned = Array.from(steps, () => run?.planned_bytes ?? null);
    this.memory.set([steps, resident ?? [], planned]);
  }

  private async askToStop(): Promise<void> {
    try {
      await stopRun(this.state.run);
      this.message.classList.remove('no');
      this.message.textContent = 'It finishes its step, saves and stops. Go on with: plimsoll train --resume';
    } catch (error) {
      this.message.classList.add('no');
      this.message.textContent = error instanceof Refusal ? error.message : String(error);
    }
  }
}
