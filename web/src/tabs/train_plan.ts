// What our engine will take on this machine for the training that is asked for: memory as planned, time as predicted.
import { askFit, askPlace, type Fit, type FitRequest, type Place } from '../base/api';
import { facts, fill, h, message } from '../base/dom';
import { forget, later } from '../base/later';
import type { Question } from '../base/question';
import { typed } from '../base/state';
import { bytes, count, rate, seconds } from '../base/units';

const restMilliseconds = 250;

export class TrainPlan {
  readonly element = h('div', { class: 'train-figures' });
  rows: [name: string, value: string][] = []; // as they are shown; none while they are asked for
  private shown = '';
  private rest = 0;

  show(question: Question, request: FitRequest): void {
    const { samples, epochs } = question.state;
    const job = { ...request, samples: typed(samples), epochs: typed(epochs) };
    const key = JSON.stringify(job);
    if (key === this.shown) return;
    this.shown = key;
    this.rows = [];
    this.element.setAttribute('aria-busy', 'true');
    window.clearTimeout(this.rest);
    forget(this);
    this.rest = window.setTimeout(() => later(this, () => this.work(key, request, job, question)), restMilliseconds);
  }

  private async work(key: string, request: FitRequest, job: object, question: Question): Promise<void> {
    let [rows, wrong]: [[string, string][], string] = [[], ''];
    try {
      const [fit, place] = await Promise.all([askFit({ ...request, brief: true }), askPlace(job)]);
      rows = figures(fit as Fit, place as Place, question);
    } catch (error) {
      wrong = message(error);
    }
    if (key !== this.shown) return;
    this.rows = rows;
    fill(this.element, wrong === '' ? facts(rows, 'figures') : h('p', { class: 'nothing no', role: 'alert' }, wrong));
    this.element.removeAttribute('aria-busy');
  }
}

function figures(fit: Fit, place: Place, { sample }: Question): [string, string][] {
  const at = place.ranking[0];
  const fits = fit.fits ? 'fits' : `does not fit: at most ${count(fit.largest_batch)}`;
  const rows: [string, string][] = [
    ['Batch', `${count(fit.batch)}, ${fits}`],
    ['Planned memory', bytes(fit.peak_bytes)],
  ];
  if (at) {
    rows.push(['One step', seconds(at.step_seconds)]);
    if (at.samples_per_second !== undefined) rows.push(['Speed', rate(at.samples_per_second, `${sample}s/s`)]);
    rows.push(['The whole job', seconds(at.total_seconds)]);
  }
  return rows;
}
