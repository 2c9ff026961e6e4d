// What is said of one training: how far it is, its figures, and how to stop it or go on with it.
import { resumeRun, type Run, stopRun } from '../base/api';
import { button, commandCode, facts, fill, h, message } from '../base/dom';
import { count, precise, rate, seconds } from '../base/units';
import { shellWord } from '../base/job';
import { CopyButton } from '../share/copy_button';
import { endingOf, wasKilled } from './run_list';
import type { RunLog } from './run_log';

const lostSteps =
  'Its process ended without saving. It goes on from its last checkpoint, or from the beginning where it has none.';

export class RunHead {
  readonly element: HTMLElement;
  private readonly title = h('h2', {}, 'No training is chosen');
  private readonly progress = h('p', { class: 'progress', role: 'status' });
  private readonly said = h('p', { class: 'said', 'aria-live': 'polite' });
  private readonly stop = button('Stop and save', () => this.sure(true), { class: 'danger' });
  private readonly really = button('Yes, stop it', () => void this.askToStop(), { class: 'danger' });
  private readonly no = button('No, go on', () => this.sure(false));
  private readonly confirm: HTMLElement;
  private readonly goOn = button('Go on with it', () => void this.askToGoOn(), { class: 'chip', hidden: true });
  private readonly resume = h('div', { class: 'command' });
  private readonly figures = h('div', {});
  private readonly lost = h('p', { class: 'note', hidden: true }, lostSteps);
  private run: Run | null = null;

  constructor() {
    this.confirm = h(
      'div',
      { class: 'confirm', role: 'group', 'aria-label': 'Stop the training?', hidden: true },
      'Stop it after this step? ',
      this.really,
      this.no,
    );
    this.element = h(
      'div',
      { class: 'run-head' },
      h('div', { class: 'run-title' }, this.title, this.stop, this.goOn),
      this.confirm,
      this.progress,
      this.said,
      this.lost,
      this.resume,
      this.figures,
    );
  }

  forget(): void {
    this.said.textContent = '';
    this.said.classList.remove('no');
    this.sure(false);
  }

  // `sample`: what one is called. `folder`: of the runs. `starts`: the server may go on with one that was stopped.
  show(run: Run | null, log: RunLog, sample: string, folder: string, starts: boolean): void {
    if (run?.running === true && this.run?.id === run.id && !this.run.running) this.forget(); // it goes on
    this.run = run;
    this.title.textContent = run?.name ?? 'No training is chosen';
    this.stop.hidden = run?.running !== true || !this.confirm.hidden;
    if (run?.running !== true) this.sure(false);
    this.progress.textContent = run ? progressText(run, log) : 'Choose one from the list.';
    this.showResume(run, folder, starts);
    fill(this.figures, run ? facts(rowsOf(run, log, sample), 'figures') : null);
  }

  private sure(asking: boolean): void {
    this.confirm.hidden = !asking;
    this.stop.hidden = asking || this.run?.running !== true;
    if (asking) this.no.focus();
  }

  private showResume(run: Run | null, folder: string, starts: boolean): void {
    const killed = run !== null && wasKilled(run);
    const stopped = killed || (run?.running === false && ['interrupted', 'terminated'].includes(run.ended ?? ''));
    this.lost.hidden = !killed;
    this.resume.hidden = !stopped;
    this.goOn.hidden = !stopped || !starts;
    if (!run || !stopped) return;
    const line = `plimsoll train --resume --run-dir ${shellWord(`${folder}/${run.name}`)}`;
    if (this.resume.dataset.line === line) return;
    this.resume.dataset.line = line;
    const copy = new CopyButton('Copy command');
    copy.set(line);
    fill(this.resume, commandCode(line), copy.element);
  }

  private async askToStop(): Promise<void> {
    this.sure(false);
    await this.ask(stopRun, 'It finishes its step, saves and stops.');
  }

  private async askToGoOn(): Promise<void> {
    await this.ask(resumeRun, 'It goes on from where it was saved.');
  }

  private async ask(what: (run: string) => Promise<unknown>, done: string): Promise<void> {
    const run = this.run;
    if (!run) return;
    this.forget();
    const said = await what(run.id).then(
      () => [done, ''],
      (error: unknown) => [message(error), 'no'],
    );
    if (this.run?.id !== run.id) return; // what is said is about another run
    this.said.textContent = said[0]!;
    this.said.classList.toggle('no', said[1] !== '');
  }
}

function epochsOf(run: Run): number {
  const asked = (run as { request?: { epochs?: unknown } }).request?.epochs;
  return typeof asked === 'number' && asked >= 1 ? asked : 0;
}

// "epoch 1 of 6 · step 65 of 421 · 3 min left"
export function progressText(run: Run, log: RunLog): string {
  const [epochs, of] = [epochsOf(run), log.stepsPerEpoch];
  const all = epochs * of;
  const epoch = of > 0 ? Math.min(epochs || Infinity, Math.floor(Math.max(0, log.step - 1) / of) + 1) : 0;
  const left = run.running && all > 0 ? log.secondsLeft(all) : null;
  const words = [
    epoch > 0 ? `epoch ${count(epoch)}${epochs > 0 ? ` of ${count(epochs)}` : ''}` : '',
    log.step > 0 ? `step ${count(log.step)}${all > 0 ? ` of ${count(all)}` : ''}` : '',
    left === null ? '' : `${seconds(left)} left`,
    run.running ? '' : endingOf(run)[0],
  ];
  return words.filter((word) => word !== '').join(' · ') || 'It has not begun yet.';
}

function rowsOf(run: Run, log: RunLog, sample: string): [string, string][] {
  const rows: [string, string][] = [
    ['Network', run.model ?? '–'],
    ['Data', run.data?.name?.replace(/^.*\/(?=.)/, '') ?? '–'], // not where it is
    ['Batch', run.batch === undefined ? '–' : `${count(run.batch)} ${sample}s`],
    ['Step', count(log.step)],
  ];
  const { last, test } = log;
  if (last) {
    rows.push(['Epochs done', `${last.epoch}`], ['Last epoch', seconds(Number(last.seconds))]);
    if (typeof last.images_per_second === 'number') rows.push(['Speed', rate(last.images_per_second, `${sample}s/s`)]);
    if (typeof last.tokens_per_second === 'number')
      rows.push(['Speed in tokens', rate(last.tokens_per_second, 'tokens/s')]);
    if (typeof last.val_accuracy === 'number') rows.push(['Validation accuracy', precise(last.val_accuracy)]);
  }
  if (typeof test?.accuracy === 'number') rows.push(['Test accuracy', precise(test.accuracy)]);
  return rows;
}
