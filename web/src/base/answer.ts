// What the first screen shows, the same for steps of samples, trainings in tokens and text that is served: the load
// with its line, three large numbers with how far off each has been, and the sentences.
import type { Answers, Fit, FitServing, Place, PlaceServing, TokenFit, TokenPlace } from './api';
import type { Kind } from './job';
import type { State } from './state';
import { amount, bytes, count, dollars, percent, rate, seconds } from './units';
import { fileName, plain } from './words';

export interface Big {
  label: string;
  value: string;
  unit: string;
  off: string; // how far off it has been, or why it is not said
  more?: string;
}

export interface Answer {
  kind: Kind;
  model: string;
  device: string;
  fits: boolean;
  task: string; // what the device does: "Training"
  load: string; // what is loaded: "batch 32"
  verdict: string;
  lowerBound: string; // '' where all is counted
  peak: number; // where there is room
  needed: number; // to run at all; decides what fits
  low: number;
  high: number;
  line: number;
  loadLine: number;
  memory: number;
  parts: [name: string, bytes: number][];
  breaking: string; // the tensor that crosses the line; '' where none does
  most: number; // the slider's mark
  big: [Big, Big, Big];
  facts: [name: string, value: string][];
  assumed: string[];
  notes: string[];
  compared: Compared;
}

// What pins are compared by; null where it is not known.
export interface Compared {
  most: number;
  memory: number;
  speed: number | null;
  time: number | null;
  cost: number | null;
  speedUnit: string;
  costUnit: string;
}

const sayPrice = 'set a price under “Job”';
const notMeasured = 'nothing like it was measured yet';

// A prediction says beside itself how far off its kind has been.
const errorText = (error: string, runs: string): string =>
  `typical error ${error}${runs === '' ? '' : ` (${runs} measured runs)`}`;

// "… median error 1.9 % …", "… off by 4 % in the median …"
function offBy(sentences: string[], about: RegExp): string {
  for (const sentence of sentences) {
    if (!about.test(sentence)) continue;
    const found = /median error ([\d.]+ %)/.exec(sentence) ?? /off by ([\d.]+ %) in the median/.exec(sentence);
    const rows = /against ([\d,]+) (published |measured )?(measurements|runs)/i.exec(sentence);
    if (found) return errorText(found[1]!, rows ? rows[1]! : '');
  }
  return notMeasured;
}

const offText = ({ median_error: error, rows }: { median_error: number; rows: number }): string =>
  errorText(percent(error), count(rows));

// The parts of the peak, and as the last of them what a framework takes only where there is room.
export function partsOf(fit: Fit | TokenFit | FitServing): [name: string, bytes: number][] {
  const parts = Object.entries(fit.breakdown).filter(([, size]) => size > 0) as [string, number][];
  const spare = fit.peak_bytes - fit.needed_bytes;
  if (spare <= fit.peak_bytes * 0.02) return parts;
  let left = spare;
  for (const name of ['slack', 'fixed', 'workspace', 'activations']) {
    const part = parts.find(([each]) => each === name);
    const taken = Math.min(left, part?.[1] ?? 0);
    if (part) part[1] -= taken;
    left -= taken;
  }
  return [...parts.filter(([, size]) => size > 0), ['spare', spare - left]];
}

// "rented, 2024-12" → "rental price of 2024-12". Dates are not broken at the ends of lines.
const priceOf = (price: string | null | undefined, usual: string): string =>
  (price ? plain(price).replace(/^rented, (?=\d)/, 'rental price of ') : usual).replaceAll('-', '\u2011');

function tensorText(tensor: { name: string; bytes: number } | null | undefined): string {
  return tensor ? `${tensor.name}, ${bytes(tensor.bytes)}` : '';
}

// "lora:16:q,v" → "LoRA of rank 16"
function methodName(method: string): string {
  const [, kind, rank] = /^(lora|qlora|dora):(\d+)/.exec(method) ?? [];
  if (kind === undefined) return method === 'full' ? 'full fine-tuning' : method;
  return `${{ lora: 'LoRA', qlora: 'QLoRA', dora: 'DoRA' }[kind]} of rank ${rank}`;
}

function jobOf(state: State, perEpoch: string): string {
  const samples = Number(state.samples);
  if (state.mode !== 'train') return `${count(samples)} ${perEpoch}`;
  const epochs = Number(state.epochs);
  return `${count(samples)} ${perEpoch} × ${count(epochs)} epoch${epochs === 1 ? '' : 's'}`;
}

export interface Asked {
  state: State;
  kind: Kind;
  sample: string; // what one is called: image, sequence, sample
  tokens: number; // of a sample of text; 0: none
}

const base = (fit: Fit | TokenFit | FitServing) => ({
  model: fileName(fit.model),
  device: fit.device ?? '',
  fits: fit.fits,
  verdict: plain(fit.sentences[0] ?? ''),
  peak: fit.peak_bytes,
  needed: Math.min(fit.needed_bytes, fit.peak_bytes),
  line: fit.line_bytes,
  loadLine: fit.load_line,
  memory: fit.memory_bytes,
  parts: partsOf(fit),
  notes: fit.sentences.slice(1).map(plain),
});

function ofSamples(asked: Asked, fit: Fit, place: Place): Answer {
  const { state, sample } = asked;
  const at = place.ranking[0];
  const several = `${sample}s`;
  const lower = fit.lower_bound ? plain(fit.lower_bound_reason ?? 'Something is not counted.') : '';
  const off = lower ? 'a lower bound: not everything is counted' : offBy(fit.sentences, /profile of/);
  const exact = fit.framework === 'plimsoll' ? 'our own plan: what it says is what a run takes' : off;
  const time = at?.step_range
    ? offText(at.step_range)
    : lower
      ? 'a lower bound: not everything is counted'
      : notMeasured;
  const speed = at?.samples_per_second ?? null;
  const tokens = asked.tokens > 0 && speed !== null ? `${amount(speed * asked.tokens)} tokens/s` : '';
  return {
    ...base(fit),
    kind: 'samples',
    task: state.mode === 'train' ? 'Training' : 'Running',
    load: `batch ${count(fit.batch)}`,
    lowerBound: lower,
    low: fit.range.low,
    high: fit.range.high,
    breaking: fit.fits ? '' : tensorText(fit.breaking_tensor),
    most: fit.largest_batch,
    big: [
      {
        label: lower ? 'No batch above' : 'Largest batch that fits',
        value: count(fit.largest_batch),
        unit: several,
        off: exact,
      },
      {
        label: fit.fits ? 'Speed' : 'Speed, if it fit',
        value: speed === null ? '–' : amount(speed),
        unit: speed === null ? 'not known' : `${several}/s`,
        off: time,
        more: [tokens, at ? `a step takes ${seconds(at.step_seconds)}` : ''].filter((part) => part !== '').join(' · '),
      },
      {
        label: 'The whole job',
        value: at?.cost == null ? (at ? seconds(at.total_seconds) : '–') : dollars(at.cost),
        unit: at?.cost == null ? sayPrice : `in ${seconds(at.total_seconds)}`,
        off: time,
        more: `${jobOf(state, several)}${at?.price ? ` · ${priceOf(at.price, '')}` : ''}`,
      },
    ],
    facts: at ? sampleFacts(at, state) : [],
    assumed: assumedOf(fit.dtype, fit.optimizer, `batch ${count(fit.batch)}`, fit.framework, fit.load_line),
    compared: {
      most: fit.largest_batch,
      memory: fit.peak_bytes,
      speed,
      time: at?.total_seconds ?? null,
      cost: at?.cost ?? null,
      speedUnit: `${several}/s`,
      costUnit: 'USD',
    },
  };
}

function sampleFacts(at: Place['ranking'][number], state: State): [string, string][] {
  const rows: [string, string][] = [['One step', seconds(at.step_seconds)]];
  if (state.mode === 'train') rows.push(['One epoch', seconds(at.epoch_seconds)]);
  if (at.latency_seconds !== undefined) rows.push(['One sample alone', seconds(at.latency_seconds)]);
  rows.push(['Bound by', at.bound_by.replaceAll('-', ' ')], ['Framework', at.framework]);
  if (at.step_range)
    rows.push(['Nine of ten such steps', `${seconds(at.step_range.low)} to ${seconds(at.step_range.high)}`]);
  return rows;
}

function ofTokens(asked: Asked, fit: TokenFit, place: TokenPlace): Answer {
  const { state } = asked;
  const at = place.ranking[0];
  const off = offBy(fit.sentences, /memory was off/);
  const time = offBy(place.notes, /tokens\/s were off/);
  const speed = at?.tokens_per_second ?? fit.tokens_per_second ?? null;
  const job =
    state.tokens !== ''
      ? `${count(place.tokens)} tokens`
      : `${jobOf(state, 'sequences')} of ${count(fit.sequence)} tokens`;
  return {
    ...base(fit),
    kind: 'tokens',
    task: 'Training',
    load: `${methodName(fit.method)}, micro-batch ${count(fit.batch)} of ${count(fit.sequence)} tokens`,
    lowerBound: '',
    low: fit.range.low,
    high: fit.range.high,
    breaking: fit.fits ? '' : tensorText(fit.breaking_tensor),
    most: fit.largest_batch,
    big: [
      {
        label: 'Largest micro-batch that fits',
        value: count(fit.largest_batch),
        unit: `sequence${fit.largest_batch === 1 ? '' : 's'} of ${count(fit.sequence)} tokens`,
        off,
        more:
          fit.largest_sequence > 0 ? `longest sequence ${count(fit.largest_sequence)} tokens` : 'nor any shorter one',
      },
      {
        label: fit.fits ? 'Speed' : 'Speed, if it fit',
        value: speed === null ? '–' : amount(speed),
        unit: 'tokens/s',
        off: time,
        more: at?.mfu === undefined ? '' : `${percent(at.mfu)} of what the device can compute (MFU)`,
      },
      {
        label: 'The whole job',
        value: at?.cost == null ? (at ? seconds(at.total_seconds) : '–') : dollars(at.cost),
        unit: at?.cost == null ? sayPrice : `in ${seconds(at.total_seconds)}`,
        off: time,
        more: `${job}${at?.price ? ` · ${priceOf(at.price, '')}` : ''}`,
      },
    ],
    facts: [
      ['Parameters', `${count(fit.params)}`],
      ['Trained of these', `${count(fit.trainable_params)}`],
      ['One step', at ? seconds(at.step_seconds) : '–'],
      ['Bound by', at?.bound_by.replaceAll('-', ' ') ?? '–'],
      ['Devices', count(at?.devices ?? 1)],
    ],
    assumed: [
      ...assumedOf(fit.dtype, fit.optimizer, `micro-batch ${count(fit.batch)}`, fit.framework, fit.load_line),
      `${methodName(fit.method)}, sequences of ${count(fit.sequence)} tokens`,
    ],
    compared: {
      most: fit.largest_batch,
      memory: fit.peak_bytes,
      speed,
      time: at?.total_seconds ?? null,
      cost: at?.cost ?? null,
      speedUnit: 'tokens/s',
      costUnit: 'USD',
    },
  };
}

const firstAfter = (time: number): string => `first token after ${seconds(time)}`;

function ofServing(fit: FitServing, place: PlaceServing): Answer {
  const at = place.ranking[0];
  const off = (about: RegExp): string => {
    const row = fit.accuracy.find((each) => about.test(each.what));
    return row ? offText(row) : notMeasured;
  };
  const price = at?.cost_per_million_tokens ?? null;
  return {
    ...base(fit),
    kind: 'serving',
    task: 'Serving',
    load: `${count(fit.concurrency)} × ${count(fit.context)} tokens at once`,
    lowerBound: '',
    low: fit.peak_bytes,
    high: fit.peak_bytes,
    breaking: fit.fits ? '' : plain(fit.breaks ?? ''),
    most: fit.largest_concurrency,
    big: [
      {
        label: 'Most sequences at once',
        value: count(fit.largest_concurrency),
        unit: `of ${count(fit.context)} tokens`,
        off: off(/memory/),
        more: `longest context ${count(fit.largest_context)} tokens at ${count(fit.concurrency)}`,
      },
      {
        label: fit.fits ? 'Speed, all together' : 'Speed, if it fit',
        value: at ? amount(at.tokens_per_second) : '–',
        unit: 'tokens/s',
        off: off(/^tokens/),
        more: at ? `${amount(at.tokens_per_second_each)} tokens/s each · ${firstAfter(at.seconds_to_first_token)}` : '',
      },
      {
        label: 'Cost of a million tokens',
        value: price ? dollars(price.output) : '–',
        unit: price ? `written, ${dollars(price.input)} read` : sayPrice,
        off: price ? off(/^tokens/) : '',
        more: priceOf(at?.price, ''),
      },
    ],
    facts: [
      ['Cache of a token', bytes(fit.kv_bytes_per_token)],
      ['Left under the line', bytes(fit.left_bytes)],
      ['A token takes', at ? seconds(at.seconds_per_token) : '–'],
      ['Bound by', (at?.bound_by ?? fit.bound_by ?? '–').replaceAll('-', ' ')],
      ['Served by', fit.framework],
      ['Devices', count(fit.devices)],
    ],
    assumed: [
      `weights ${fit.weights}, cache ${fit.kv}`,
      `${count(fit.concurrency)} sequences of ${count(fit.context)} tokens`,
      `${fit.framework}, load line ${percent(fit.load_line)}`,
    ],
    compared: {
      most: fit.largest_concurrency,
      memory: fit.peak_bytes,
      speed: at?.tokens_per_second ?? null,
      time: at?.seconds_per_token ?? null,
      cost: price?.output ?? null,
      speedUnit: 'tokens/s',
      costUnit: 'USD a million tokens',
    },
  };
}

function assumedOf(
  format: string,
  optimizer: string | undefined,
  batch: string,
  framework: string,
  line: number,
): string[] {
  return [
    format,
    optimizer ? `${optimizer}, ${batch}` : `inference, ${batch}`,
    `${framework}, load line ${percent(line)}`,
  ];
}

export function answerOf(asked: Asked, answers: Answers): Answer {
  const { fit, place } = answers;
  if ('largest_concurrency' in fit) return ofServing(fit, place as PlaceServing);
  if ('largest_sequence' in fit) return ofTokens(asked, fit, place as TokenPlace);
  return ofSamples(asked, fit, place as Place);
}

// In one line, for titles: "Batch 32 of resnet50 fits nvidia-t4".
export function headline(answer: Answer): string {
  const yes = answer.fits ? (answer.lowerBound ? 'may fit' : 'fits') : 'does not fit';
  return `${answer.model}, ${answer.load} ${yes} ${answer.device === 'this' ? 'this machine' : answer.device}`;
}

export const speedText = (compared: Compared): string =>
  compared.speed === null ? '–' : rate(compared.speed, compared.speedUnit);
