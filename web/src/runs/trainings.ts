// Trainings of the runs folder: the list, one of them in full, and others drawn over it. News come by server-sent
// events; a page that is not looked at closes its stream, so that many open pages cost nothing.
import { type LogLine, type Run, serverIs } from '../base/api';
import { fill, h } from '../base/dom';
import type { State } from '../base/state';
import { runColours } from '../draw/palette';
import { RunCharts } from './run_charts';
import { progressText, RunHead } from './run_head';
import { RunList } from './run_list';
import { RunLog } from './run_log';
import { RunShare } from './run_share';

export class Trainings {
  readonly element: HTMLElement;
  private readonly list: RunList;
  private readonly head = new RunHead();
  private readonly charts = new RunCharts();
  private readonly share = new RunShare(() => [...this.charts.element.querySelectorAll('canvas')]);
  private readonly gone = h('p', { class: 'gone', role: 'alert', hidden: true }, 'No news come from the server.');
  private runs: Run[] = [];
  private folder = '';
  private logs = new Map<string, RunLog>();
  private source: EventSource | null = null;
  private visible = false;

  constructor(
    private readonly state: State,
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

  private listen(): void {
    this.source?.close();
    this.source = null;
    if (!this.visible || document.hidden) return;
    const followed = [/^\d+$/.test(this.state.run) ? this.state.run : '', ...this.others].filter((id) => id !== '');
    this.logs = new Map();
    const source = new EventSource(`/api/runs/feed?run=${followed.join(',')}`);
    this.source = source;
    source.addEventListener('open', () => {
      this.logs = new Map(followed.map((id) => [id, new RunLog()]));
      this.gone.hidden = true;
      serverIs('there');
    });
    source.addEventListener('runs', (event) => {
      const news = JSON.parse((event as MessageEvent<string>).data) as { runs: Run[]; folder: string };
      this.runs = news.runs;
      this.folder = news.folder;
      this.show();
    });
    source.addEventListener('log', (event) => {
      const { run, lines } = JSON.parse((event as MessageEvent<string>).data) as { run: string; lines: LogLine[] };
      if (!this.logs.has(run)) this.logs.set(run, new RunLog());
      this.logs.get(run)!.add(lines);
      this.show();
    });
    source.addEventListener('error', () => {
      this.gone.hidden = false;
      if (source.readyState !== EventSource.OPEN) serverIs('gone');
    });
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

  private show(): void {
    const drawn = [this.state.run, ...this.others];
    const colours = new Map(drawn.map((id, i) => [id, runColours[i % runColours.length]!]));
    this.list.show(this.runs, this.folder, this.state.run, this.others, colours);
    const run = this.runs.find((each) => each.id === this.state.run);
    const log = this.logs.get(this.state.run) ?? new RunLog();
    this.head.show(run ?? null, log, this.folder);
    this.share.show(run ?? null, this.folder, run ? progressText(run, log) : '');
    if (this.visible) this.title();
    const shown = drawn.flatMap((id) => {
      const [entry, log] = [this.runs.find((each) => each.id === id), this.logs.get(id)];
      return entry && log ? [{ run: entry, log, colour: colours.get(id)! }] : [];
    });
    this.charts.show(shown);
  }
}
