// The state of the page: all of it is in the link, so that a link can be passed on and kept.

export const tabs = ['fit', 'layers', 'roofline', 'devices', 'scale', 'serve', 'train'] as const;
export type Tab = (typeof tabs)[number];

// What is chosen or typed, as text; '' stands for the default.
const texts = {
  view: 'plan', // or trainings
  tab: 'fit',
  model: 'resnet50',
  device: 'aws-g4dn.xlarge', // a T4, rented: what it costs is known
  mode: 'train',
  dtype: '',
  optimizer: '',
  recompute: '', // share of the forward pass
  microBatches: '',
  framework: '',
  loadLine: '0.8',
  samples: '50000',
  epochs: '10',
  price: '', // USD per hour
  sequence: '', // of networks of text, from here on
  method: '',
  checkpointing: '',
  logits: '',
  attention: '',
  shard: '',
  offload: '',
  workers: '',
  tokens: '',
  context: '4096', // of text that is served, from here on
  prompt: '1024',
  output: '256',
  weights: '',
  kv: '',
  link: '', // between workers
  most: '64', // workers
  critical: '', // batch
  run: '',
  also: '', // other runs, drawn over it
};

export type Field = keyof typeof texts;

export interface State extends Record<Field, string> {
  batch: number;
  concurrency: number;
  sizes: Map<string, string>; // those that a dropped network leaves open, by name; '' when not said yet
  pins: string[]; // other states, as links
}

export const uploaded = 'upload-'; // how the server's names for dropped networks begin

export const mostPins = 8;
const mostSizes = 32;
const largest = 1e9;

export const startState = (): State => ({ ...texts, batch: 32, concurrency: 8, sizes: new Map(), pins: [] });

// A number that was typed; absent where the field is empty.
export const typed = (text: string): number | undefined => (text === '' ? undefined : Number(text));

// A text that was chosen; absent where it is the default.
export const chosen = <T extends string>(text: string): T | undefined => (text === '' ? undefined : (text as T));

// The sizes that are said: only a dropped network leaves any open.
export function openSizes(state: State): string[] {
  if (!state.model.startsWith(uploaded)) return [];
  return [...state.sizes].filter(([, size]) => size !== '').map(([name, size]) => `${name}=${size}`);
}

// What a pin keeps: the question, not where it was asked.
const ofThePage: Field[] = ['view', 'tab', 'run', 'also'];

export function toLink(state: State, alone = false): string {
  const parameters = new URLSearchParams();
  const start = startState();
  for (const name of ['model', 'device'] as const) parameters.set(name, state[name]);
  parameters.set('batch', `${state.batch}`);
  if (state.concurrency !== start.concurrency) parameters.set('concurrency', `${state.concurrency}`);
  for (const name of Object.keys(texts) as Field[])
    if (state[name] !== start[name] && !(alone && ofThePage.includes(name))) parameters.set(name, state[name]);
  for (const [name, size] of state.sizes) parameters.append('dim', `${name}=${size}`);
  if (!alone) for (const pin of state.pins) parameters.append('pin', pin);
  return `#${parameters}`;
}

function wholeNumber(text: string | null, usual: number): number {
  const value = Number(text ?? '');
  return Number.isInteger(value) && value >= 1 && value <= largest ? value : usual;
}

// What a link does not say, or says wrongly, is as at the start. Several networks: the others are pinned.
export function fromLink(hash: string): State {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const state = startState();
  for (const name of Object.keys(texts) as Field[]) state[name] = parameters.get(name) ?? state[name];
  if (state.view !== 'trainings') state.view = 'plan';
  if (!(tabs as readonly string[]).includes(state.tab)) {
    if (state.tab === 'trainings') state.view = 'trainings'; // a link of an older page
    state.tab = 'fit';
  }
  for (const dim of parameters.getAll('dim').slice(0, mostSizes)) {
    const equals = dim.lastIndexOf('='); // a name may hold one too
    if (equals > 0 && /^\d*$/.test(dim.slice(equals + 1))) state.sizes.set(dim.slice(0, equals), dim.slice(equals + 1));
  }
  state.batch = wholeNumber(parameters.get('batch'), state.batch);
  state.concurrency = wholeNumber(parameters.get('concurrency'), state.concurrency);
  state.pins = parameters.getAll('pin').slice(0, mostPins);
  const devices = parameters.getAll('device');
  parameters
    .getAll('model')
    .slice(1, mostPins)
    .forEach((model, i) => {
      state.pins.push(toLink({ ...state, model, device: devices[i + 1] ?? state.device }, true));
    });
  return state;
}
