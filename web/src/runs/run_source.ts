// News of the runs folder by server-sent events: the list, and the logs of those that are followed. Whoever is not
// looked at closes the stream, so that many open pages cost nothing.
import { type LogLine, type RunNews, serverIs } from '../base/api';
import { RunLog } from './run_log';

export class RunSource {
  news: RunNews = { folder: '', runs: [] };
  private logs = new Map<string, RunLog>();
  private source: EventSource | null = null;
  private followed = '';

  constructor(
    private readonly changed: () => void,
    private readonly gone: (gone: boolean) => void = () => {},
  ) {}

  log(run: string): RunLog | undefined {
    return this.logs.get(run);
  }

  close(): void {
    this.source?.close();
    this.source = null;
  }

  // Follows these from their beginning; nothing is begun again where they are followed already.
  follow(runs: string[]): void {
    const followed = runs.join(',');
    if (this.source !== null && followed === this.followed) return;
    this.close();
    this.followed = followed;
    this.logs = new Map();
    const source = new EventSource(`/api/runs/feed?run=${followed}`);
    this.source = source;
    source.addEventListener('open', () => {
      this.logs = new Map(runs.map((id) => [id, new RunLog()]));
      this.gone(false);
      serverIs('there');
    });
    source.addEventListener('runs', (event) => {
      this.news = JSON.parse((event as MessageEvent<string>).data) as RunNews;
      this.changed();
    });
    source.addEventListener('log', (event) => {
      const { run, lines } = JSON.parse((event as MessageEvent<string>).data) as { run: string; lines: LogLine[] };
      if (!this.logs.has(run)) this.logs.set(run, new RunLog());
      this.logs.get(run)!.add(lines);
      this.changed();
    });
    source.addEventListener('error', () => {
      this.gone(true);
      if (source.readyState !== EventSource.OPEN) serverIs('gone');
    });
  }
}
