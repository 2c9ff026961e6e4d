// Trainings of the runs folder: the list, one of them in full, and others drawn over it.
import type { Run } from '../base/api';
import { fill, h } from '../base/dom';
import type { State } from '../base/state';
import { runColours } from '../draw/palette';
import { RunCharts } from './run_charts';
import { progressText, RunHead } from './run_head';
import { RunList } from './run_list';
import { RunLog } from './run_log';
import { RunShare } from './run_share';
import { RunSource } from './run_source';

export class Trainings {
  readonly element: HTMLElement;
  private readonly list: RunList;
  private readonly head = new RunHead();
  private readonly charts = new RunCharts();
  private readonly share = new RunShare(() => [...this.charts.element.querySelectorAll('canvas')]);
  private readonly gone = h('p', { class: 'gone', role: 'alert', hidden: true }, 'No news come from the server.');
  private readonly source = new RunSource(
    () => this.show(),
    (gone) => (this.gone.hidden = !gone),
  );
  private visible = false;

  constructor(
    private readonly state: State,
    private readonly sampleOf: (model: string) => string,
    private readonly changed: () => void,
  ) {
    this.list = new RunList(
      (run) => this.choose(run),
      (run, drawn) => this.over(run, drawn),
    );
    this.element = h('div', { class: 'trainings' });
    fill(
      this.element,
      this.list.element,
      h(
        'section',
        { class: 'panel run', 'aria-label': 'The training' },
        this.gone,
        this.head.element,
        this.share.element,
        this.charts.element,
      ),
    );
    document.addEventListener('visibilitychange', () => this.listen());
    this.show();
  }

  look(visible: boolean): void {
    this.visible = visible;
    this.listen();
    if (visible) this.title();
  }

  private get others(): string[] {
    return this.state.also.split(',').filter((id) => /^\d+$/.test(id) && id !== this.state.run);
  }

  private title(): void {
    const run = this.runs.find((each) => each.id === this.state.run);
    document.title = `${run ? `${run.name}, training` : 'Trainings'} · Plimsoll`;
  }

  private get runs(): Run[] {
    return this.source.news.runs;
  }

  private listen(): void {
    if (!this.visible || document.hidden) return this.source.close();
    this.source.follow([/^\d+$/.test(this.state.run) ? this.state.run : '', ...this.others].filter((id) => id !== ''));
  }

  private choose(run: Run): void {
    this.state.run = run.id;
    this.state.also = this.others.join(',');
    this.head.forget(); // what was said is about another run
    this.changed();
    this.show();
    this.listen();
  }

  private over(run: Run, drawn: boolean): void {
    const others = this.others.filter((id) => id !== run.id);
    if (drawn) others.push(run.id);
    this.state.also = others.slice(-(runColours.length - 1)).join(',');
    this.changed();
    this.listen();
    this.show();
  }

  // Whoever comes without a link to one sees the newest.
  private chooseNewest(): void {
    const newest = this.runs[0];
    if (this.state.run !== '' || !newest) return;
    this.state.run = newest.id;
    this.changed();
    this.listen();
  }

  private show(): void {
    if (this.visible) this.chooseNewest();
    const drawn = [this.state.run, ...this.others];
    const colours = new Map(drawn.map((id, i) => [id, runColours[i % runColours.length]!]));
    const { folder, sets } = this.source.news;
    this.list.show(this.runs, folder, this.state.run, this.others, colours);
    const run = this.runs.find((each) => each.id === this.state.run);
    const log = this.source.log(this.state.run) ?? new RunLog();
    this.head.show(run ?? null, log, this.sampleOf(run?.model ?? ''), folder, sets !== undefined);
    this.share.show(run ?? null, folder, run ? progressText(run, log) : '');
    if (this.visible) this.title();
    const shown = drawn.flatMap((id) => {
      const [entry, log] = [this.runs.find((each) => each.id === id), this.source.log(id)];
      return entry && log
        ? [{ run: entry, log, colour: colours.get(id)!, sample: this.sampleOf(entry.model ?? '') }]
        : [];
    });
    this.charts.element.hidden = shown.length === 0; // empty frames tell nothing
    this.charts.show(shown);
  }
}
