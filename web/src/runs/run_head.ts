// What is said of one training: how far it is, its figures, and how to stop it or go on with it.
import { type Run, stopRun } from '../base/api';
import { button, facts, fill, h, message } from '../base/dom';
import { count, precise, seconds } from '../base/units';
import { shellWord } from '../base/job';
import { CopyButton } from '../share/copy_button';
import { endingOf } from './run_list';
import type { RunLog } from './run_log';

export class RunHead {
  readonly element: HTMLElement;
  private readonly title = h('h2', {}, 'No training is chosen');
  private readonly progress = h('p', { class: 'progress', role: 'status' });
  private readonly said = h('p', { class: 'said', 'aria-live': 'polite' });
  private readonly stop = button('Stop and save', () => this.sure(true), { class: 'danger' });
  private readonly really = button('Yes, stop it', () => void this.askToStop(), { class: 'danger' });
  private readonly no = button('No, go on', () => this.sure(false));
  private readonly confirm: HTMLElement;
  private readonly resume = h('div', { class: 'command' });
  private readonly figures = h('div', {});
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
      h('div', { class: 'run-title' }, this.title, this.stop),
      this.confirm,
      this.progress,
      this.said,
      this.resume,
      this.figures,
    );
  }

  forget(): void {
    this.said.textContent = '';
    this.said.classList.remove('no');
    this.sure(false);
  }

  // `folder`: of the runs.
  show(run: Run | null, log: RunLog, folder: string): void {
    this.run = run;
    this.title.textContent = run?.name ?? 'No training is chosen';
    this.stop.hidden = run?.running !== true || !this.confirm.hidden;
    if (run?.running !== true) this.sure(false);
    this.progress.textContent = run ? progressText(run, log) : 'Choose one from the list.';
    this.showResume(run, folder);
    fill(this.figures, run ? facts(rowsOf(run, log), 'figures') : null);
  }

  private sure(asking: boolean): void {
    this.confirm.hidden = !asking;
    this.stop.hidden = asking || this.run?.running !== true;
    if (asking) this.no.focus();
  }

  private showResume(run: Run | null, folder: string): void {
    const stopped = run !== null && !run.running && ['interrupted', 'terminated'].includes(run.ended ?? '');
    this.resume.hidden = !stopped;
    if (!stopped) return;
    const line = `plimsoll train --resume --run-dir ${shellWord(`${folder}/${run.name}`)}`;
    if (this.resume.dataset.line === line) return;
    this.resume.dataset.line = line;
    const copy = new CopyButton('Copy command');
    copy.set(line);
    fill(this.resume, h('code', {}, line), copy.element);
  }

  private async askToStop(): Promise<void> {
    const run = this.run;
    this.sure(false);
    if (!run) return;
    try {
      await stopRun(run.id);
      if (this.run?.id === run.id) this.said.textContent = 'It finishes its step, saves and stops.';
    } catch (error) {
      this.said.classList.add('no');
      this.said.textContent = message(error);
    }
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

function rowsOf(run: Run, log: RunLog): [string, string][] {
  const rows: [string, string][] = [
    ['Network', run.model ?? '–'],
    ['Data', run.data?.name ?? '–'],
    ['Batch', run.batch === undefined ? '–' : `${count(run.batch)} samples`],
    ['Step', count(log.step)],
  ];
  const { last, test } = log;
  if (last) {
    rows.push(['Epochs done', `${last.epoch}`], ['Last epoch', seconds(Number(last.seconds))]);
    if (typeof last.val_accuracy === 'number') rows.push(['Validation accuracy', precise(last.val_accuracy)]);
  }
  if (typeof test?.accuracy === 'number') rows.push(['Test accuracy', precise(test.accuracy)]);
  return rows;
}
