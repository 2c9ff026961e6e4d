// Scale: what more devices bring. Images: the knee, and what the critical batch changes; text: how the devices are best
// divided.
import {
  type AnyScale,
  askScale,
  type Choices,
  Refusal,
  type Scale,
  type TokenRun,
  type TokenScale,
} from '../base/api';
import { CheckedField } from '../base/checked_field';
import { button, field, fill, h, message, scroller, table } from '../base/dom';
import { scaleRequest } from '../base/job';
import { type Question, subjectOf } from '../base/question';
import type { State } from '../base/state';
import { amount, bytes, count, dollars, percent, seconds, wrongNumber } from '../base/units';
import { nameOf, plain } from '../base/words';
import { scaleChart } from './scale_chart';
import { TabView } from './tab_view';

const pastLine = 'The batch of one device is past the line: these are times of steps that would not run.';

const about = (words: string): HTMLElement => h('p', { class: 'about-field' }, words);

type Division = Record<string, string | number>;

const mostDevices = 65536;

export class ScaleTab extends TabView<AnyScale> {
  private search = false;
  private link: CheckedField | null = null;
  private readonly controls = h('div', { class: 'fields' });
  private readonly result = h('div', {});

  constructor(
    private readonly state: State,
    private readonly choices: Choices,
    private readonly changed: () => void,
  ) {
    super('scale');
  }

  protected why(question: Question): string {
    return question.state.mode === 'train'
      ? ''
      : 'More devices that train together: choose “Train”. To serve with several, see “Job”.';
  }

  protected titleOf(question: Question): string {
    return `What more devices bring: ${subjectOf(question)} each, on ${question.where}`;
  }

  protected ask(question: Question): Promise<AnyScale> {
    return askScale(scaleRequest(question.state, question.kind, question.text, this.search));
  }

  protected draw(question: Question, scale: AnyScale): void {
    if (this.controls.parentElement !== this.place || this.controls.dataset.kind !== question.kind)
      this.control(question);
    if ('searched' in scale) this.tokens(scale);
    else this.samples(scale, question.sample);
  }

  private control(question: Question): void {
    this.controls.dataset.kind = question.kind;
    if (question.kind === 'tokens') {
      const find = button('Find the best division', () => this.find(), {
        class: 'chip',
        'aria-pressed': this.search ? 'true' : 'false',
      });
      fill(this.controls, this.most(), h('div', { class: 'field' }, find));
    } else {
      const known = h('datalist', { id: 'links' }, ...this.choices.links.map((value) => h('option', { value })));
      fill(this.controls, this.most(), this.between(), known, ...this.critical());
    }
    fill(this.place, this.controls, this.result);
  }

  private find(): void {
    this.search = !this.search;
    this.controls.dataset.kind = '';
    this.again();
  }

  private take(name: 'link' | 'most' | 'critical', value: string): void {
    this.state[name] = value;
    this.changed();
  }

  private most(): HTMLElement {
    const input = h('input', { type: 'number', step: '1' });
    input.value = this.state.most;
    const wrong = (text: string): string => wrongNumber(text, 2, mostDevices, true);
    const { element } = new CheckedField('Devices, at most', input, wrong, (text) => this.take('most', text));
    element.append(about('from one up to these'));
    return element;
  }

  private between(): HTMLElement {
    const input = h('input', { list: 'links', placeholder: 'the device’s own' });
    input.value = this.state.link;
    this.link = new CheckedField(
      'Link between them',
      input,
      () => '',
      (text) => this.take('link', text),
    );
    this.link.element.append(about('over which gradients are exchanged'));
    return this.link.element;
  }

  // A link that is not known is told beside its field, which stays.
  protected fail(question: Question, error: unknown): void {
    if (!(error instanceof Refusal) || error.field !== 'link') return super.fail(question, error);
    if (this.controls.parentElement !== this.place) this.control(question);
    fill(this.result);
    this.link?.say(message(error));
  }

  // Past it larger batches bring little: a slider over powers of two, the left end for "not known".
  private critical(): HTMLElement[] {
    const slider = h('input', { type: 'range', min: '5', max: '17', step: '0.5' });
    const shown = h('output', {}, this.state.critical === '' ? 'not known' : count(Number(this.state.critical)));
    slider.value = this.state.critical === '' ? '5' : `${Math.log2(Number(this.state.critical))}`;
    slider.addEventListener('input', () => {
      const value = slider.value === '5' ? '' : `${Math.round(2 ** Number(slider.value))}`;
      shown.textContent = value === '' ? 'not known' : count(Number(value));
      slider.setAttribute('aria-valuetext', shown.textContent);
      this.take('critical', value);
    });
    return [field('Critical batch, samples', slider, shown, about('larger ones teach little more'))];
  }

  private samples(scale: Scale, sample: string): void {
    const knee = scale.knee?.workers ?? null;
    const runs = [...scale.runs];
    if (scale.knee && !runs.some((run) => run.workers === knee)) runs.push(scale.knee);
    runs.sort((a, b) => a.workers - b.workers);
    const rows = runs.map((run) => [
      `${count(run.workers)}${run.workers === knee ? ' (knee)' : ''}`,
      count(run.global_batch),
      seconds(run.step_seconds),
      amount(run.images_per_second),
      percent(run.efficiency),
      seconds(run.total_seconds),
      run.cost === null ? 'no price' : dollars(run.cost),
    ]);
    const heads = ['Devices', 'Batch of all', 'A step', `${nameOf(sample)}s/s`, 'Efficiency', 'The job', 'Cost'];
    const notes = [...scale.verdict.reasons, ...scale.notes].map((note) => h('li', {}, plain(note)));
    fill(
      this.result,
      verdictOf(scale.runs, (run) => run.images_per_second),
      scale.lower_bound ? h('p', { class: 'bound' }, plain(scale.lower_bound_reason ?? '')) : null,
      runs.every((run) => !run.fits) ? h('p', { class: 'nothing no' }, pastLine) : null,
      this.drawing.element,
      scroller(
        'Numbers of devices',
        table(heads, rows, 'By the number of devices', (i) =>
          !runs[i]!.fits ? 'past-line' : runs[i]!.workers === knee ? 'knee' : '',
        ),
      ),
      h('ul', { class: 'notes' }, ...notes),
    );
    const points = runs.map((run) => ({
      workers: run.workers,
      speed: run.images_per_second,
      efficiency: run.efficiency,
      fits: run.fits,
    }));
    this.drawing.show((width) => [scaleChart(points, knee, `${sample}s/s`, width)]);
  }

  private tokens(scale: TokenScale): void {
    const rows = scale.runs.map((run) => [
      count(run.workers),
      run.fits ? divisionText(run) : plain(run.why_not ?? 'does not fit'),
      run.fits ? bytes(run.needed_bytes) : '–',
      run.fits ? amount(run.tokens_per_second) : '–',
      run.mfu === undefined ? '–' : percent(run.mfu),
      run.fits ? percent(run.efficiency) : '–',
      run.fits ? seconds(run.total_seconds) : '–',
      run.cost === null ? 'no price' : dollars(run.cost),
    ]);
    const heads = ['Devices', 'Divided', 'Memory', 'Tokens/s', 'Of the peak', 'Efficiency', 'The job', 'Cost'];
    fill(
      this.result,
      verdictOf(scale.runs, (run) => run.tokens_per_second),
      this.drawing.element,
      scroller(
        'Numbers of devices',
        table(
          heads,
          rows,
          scale.searched ? 'The best division for each number of devices' : 'By the number of devices',
          (i) => (scale.runs[i]!.fits ? '' : 'past-line'),
        ),
      ),
      h('ul', { class: 'notes' }, ...[...scale.reasons, ...scale.notes].map((note) => h('li', {}, plain(note)))),
    );
    const points = scale.runs
      .filter((run) => run.fits)
      .map((run) => ({
        workers: run.workers,
        speed: run.tokens_per_second,
        efficiency: run.efficiency,
        fits: run.fits,
      }));
    this.drawing.show(
      (width) => (points.length < 2 ? [] : [scaleChart(points, null, 'tokens/s', width)]),
      points.length < 2 ? 'Fewer than two of these numbers of devices carry it.' : '',
    );
  }
}

// "64 devices are 60 times as fast as one: 94 % of ideal."
function verdictOf<T extends { workers: number; fits: boolean; efficiency: number }>(
  runs: T[],
  speed: (run: T) => number,
): HTMLElement | null {
  const fitting = runs.filter((run) => run.fits && speed(run) > 0);
  const [first, last] = [fitting[0], fitting[fitting.length - 1]];
  if (!first || !last || first === last) return null;
  const times = amount(speed(last) / speed(first));
  const less = first.workers === 1 ? 'one' : count(first.workers);
  const words = `${count(last.workers)} devices are ${times} times as fast as ${less}`;
  return h('p', { class: 'tab-verdict' }, `${words}: ${percent(last.efficiency)} of ideal.`);
}

function divisionText(run: TokenRun): string {
  const names: Record<string, string> = { dp: 'data', tp: 'tensor', pp: 'pipeline', cp: 'context', ep: 'experts' };
  const words: string[] = [];
  for (const [name, value] of Object.entries(run.plan as unknown as Division)) {
    if (name in names && Number(value) > 1) words.push(`${names[name]} ${value}`);
    if ((name === 'shard' || name === 'checkpointing') && value !== 'none')
      words.push(`${name === 'shard' ? '' : 'checkpointing '}${value}`);
    if (name === 'micro_batch') words.push(`micro-batch ${value}`);
  }
  return words.join(', ');
}
