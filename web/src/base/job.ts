// From the page's state to the requests of the verbs, and to the command that asks the same in a terminal.
import type { FitRequest, PlaceRequest, ScaleRequest, WeighRequest } from './api';
import { chosen, openSizes, type State, typed, uploaded } from './state';
import { fileName } from './words';

export type Kind = 'samples' | 'tokens' | 'serving';

// What is asked: steps of samples, a training in tokens on GPUs, or text that is generated.
export function kindOf(state: State, text: boolean, gpu: boolean): Kind {
  if (text && state.mode === 'generate') return 'serving';
  const own = state.framework !== '' && state.framework !== 'pytorch';
  return text && state.mode === 'train' && gpu && !own ? 'tokens' : 'samples';
}

type Mode = 'train' | 'inference' | 'generate';

const network = (state: State): Pick<FitRequest, 'model' | 'dim'> & { mode?: Mode } => {
  const dim = openSizes(state);
  return { model: state.model, mode: chosen<Mode>(state.mode), dim: dim.length > 0 ? dim : undefined };
};

const training = (state: State): FitRequest => ({
  batch: state.batch,
  dtype: chosen(state.dtype),
  sequence: typed(state.sequence),
  method: chosen(state.method),
  checkpointing: chosen(state.checkpointing),
  logits: chosen(state.logits),
  attention: chosen(state.attention),
  optimizer: chosen(state.optimizer),
  shard: chosen(state.shard),
  offload: chosen(state.offload),
  workers: typed(state.workers),
});

const serving = (state: State): FitRequest => ({
  context: typed(state.context),
  concurrency: state.concurrency,
  weights: chosen(state.weights),
  kv: chosen(state.kv),
  framework: chosen(state.framework),
  offload: chosen(state.offload),
  workers: typed(state.workers),
});

const samples = (state: State, text: boolean): FitRequest => {
  const trains = state.mode === 'train';
  return {
    batch: state.batch,
    dtype: chosen(state.dtype),
    sequence: text ? typed(state.sequence) : undefined,
    framework: chosen(state.framework),
    optimizer: trains ? chosen(state.optimizer) : undefined,
    recompute: trains ? typed(state.recompute) : undefined,
    micro_batches: trains ? typed(state.microBatches) : undefined,
  };
};

export function fitRequest(state: State, kind: Kind, text: boolean): FitRequest {
  const step = kind === 'tokens' ? training(state) : kind === 'serving' ? serving(state) : samples(state, text);
  return { ...network(state), device: state.device, load_line: typed(state.loadLine), ...step };
}

// The job: what all of it takes and costs.
function work(state: State, kind: Kind): PlaceRequest {
  const price = typed(state.price);
  if (kind === 'serving') return { prompt_tokens: typed(state.prompt), output_tokens: typed(state.output), price };
  const trains = state.mode === 'train';
  const job = { samples: typed(state.samples), epochs: trains ? typed(state.epochs) : undefined, price };
  return kind === 'tokens' && state.tokens !== '' ? { tokens: typed(state.tokens), price } : job;
}

// Of the very step that fit answers for: what is not said is not chosen anew.
export function placeRequest(state: State, kind: Kind, text: boolean): PlaceRequest {
  const { context: _, ...fit } = fitRequest(state, kind, text);
  const same = kind === 'tokens' ? { checkpointing: fit.checkpointing ?? 'none', shard: fit.shard ?? 'none' } : {};
  return { ...fit, ...same, ...work(state, kind) };
}

// The whole catalog, each device at its own largest batch.
export function catalogRequest(state: State, kind: Kind, text: boolean): PlaceRequest {
  const {
    device: _,
    batch: __,
    workers: ___,
    framework: ____,
    context: _____,
    ...rest
  } = fitRequest(state, kind, text);
  return { ...rest, ...work(state, kind) };
}

export function weighRequest(state: State, text: boolean): WeighRequest {
  const { model, dim } = network(state);
  const mode = state.mode === 'train' ? 'train' : 'inference';
  const own = text
    ? { sequence: typed(state.sequence), batch: 1 }
    : { batch: state.batch, dtype: chosen<string>(state.dtype) };
  return { model: model ?? '', dim, mode, ...own };
}

export function scaleRequest(state: State, kind: Kind, text: boolean, search = false): ScaleRequest {
  const { workers: _, context: __, concurrency: ___, weights: ____, kv: _____, ...fit } = fitRequest(state, kind, text);
  const more = kind === 'tokens' ? { search: search || undefined } : { link: chosen<string>(state.link) };
  return {
    ...fit,
    ...work(state, kind),
    ...more,
    device: state.device,
    mode: undefined,
    workers: `1..${state.most}`,
    critical_batch: kind === 'samples' ? typed(state.critical) : undefined,
  };
}

export function reportRequest(state: State, kind: Kind, text: boolean): object {
  return { ...fitRequest(state, kind, text), ...work(state, kind) };
}

// The command that tells in a terminal what a tab shows.
export function commandOf(tab: string, state: State, kind: Kind, text: boolean): string {
  if (tab === 'layers') return command('weigh', weighRequest(state, text));
  if (tab === 'roofline') return command('report', reportRequest(state, kind, text));
  if (tab === 'devices') return command('place', catalogRequest(state, kind, text));
  if (tab === 'scale' && state.mode === 'train') return command('scale', scaleRequest(state, kind, text));
  if (tab === 'serve' && kind === 'serving') return command('place', placeRequest(state, kind, text));
  return command('fit', fitRequest(state, kind, text));
}

export const shellWord = (text: string): string =>
  /^[\w.,:=@/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

// The same question in a terminal. A dropped file is named as its owner knows it.
export function command(verb: string, request: object): string {
  const words = ['plimsoll', verb];
  for (const [name, value] of Object.entries(request) as [string, unknown][]) {
    if (value === undefined || value === '' || name === 'brief' || (name === 'mode' && value === 'train')) continue;
    if (name === 'load_line' && value === 0.8) continue;
    const flag = `--${name.replaceAll('_', '-')}`;
    const model = String(value);
    if (name === 'model') words.push(shellWord(model.startsWith(uploaded) ? fileName(model) : model));
    else if (value === true) words.push(flag);
    else for (const one of Array.isArray(value) ? value : [value]) words.push(flag, shellWord(String(one)));
  }
  return words.join(' ');
}
