// The state of the page: all of it is in the link, so that a link can be passed on and kept.

export interface Pair {
  model: string;
  device: string;
}

export interface State {
  tab: string; // plan or trainings
  batch: number;
  mode: string;
  dtype: string;
  optimizer: string;
  recompute: string; // share of the forward pass; '' for none
  framework: string; // '' for the device's usual one
  loadLine: string;
  samples: string;
  epochs: string;
  price: string; // USD per hour; '' for the catalog's
  link: string; // between workers; '' for the device's own
  critical: string; // batch; '' when not known
  run: string;
  sizes: Map<string, string>; // those that a dropped network leaves open, by name; '' when not said yet
  pairs: Pair[];
}

const uploaded = 'upload-'; // how the server's names for dropped networks begin

export const mostPairs = 4;
const mostSizes = 32;

export function startState(): State {
  return {
    tab: 'plan',
    batch: 32,
    mode: 'train',
    dtype: 'f32',
    optimizer: 'momentum',
    recompute: '',
    framework: '',
    loadLine: '0.8',
    samples: '50000',
    epochs: '10',
    price: '',
    link: '',
    critical: '',
    run: '',
    sizes: new Map(),
    pairs: [{ model: 'resnet50', device: 'nvidia-t4' }],
  };
}

const texts = [
  'tab',
  'mode',
  'dtype',
  'optimizer',
  'recompute',
  'framework',
  'loadLine',
  'samples',
  'epochs',
  'price',
  'link',
  'critical',
  'run',
] as const;

// A number that was typed; absent where the field is empty.
export const typed = (text: string): number | undefined => (text === '' ? undefined : Number(text));

// A text that was chosen; absent where it is the default.
export const chosen = <T extends string>(text: string): T | undefined => (text === '' ? undefined : (text as T));

// The sizes that are said: only a dropped network leaves any open.
export function openSizes(state: State, model: string): string[] {
  if (!model.startsWith(uploaded)) return [];
  return [...state.sizes].filter(([, size]) => size !== '').map(([name, size]) => `${name}=${size}`);
}

export function toLink(state: State): string {
  const parameters = new URLSearchParams();
  const start = startState();
  for (const pair of state.pairs) {
    parameters.append('model', pair.model);
    parameters.append('device', pair.device);
  }
  parameters.set('batch', `${state.batch}`);
  for (const name of texts) if (state[name] !== start[name]) parameters.set(name, state[name]);
  for (const [name, size] of state.sizes) parameters.append('dim', `${name}=${size}`);
  return `#${parameters}`;
}

// What a link does not say, or says wrongly, is as at the start.
export function fromLink(hash: string): State {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const state = startState();
  for (const name of texts) state[name] = parameters.get(name) ?? state[name];
  if (state.tab !== 'trainings') state.tab = 'plan';
  for (const dim of parameters.getAll('dim').slice(0, mostSizes)) {
    const equals = dim.lastIndexOf('='); // a name may hold one too
    if (equals > 0 && /^\d*$/.test(dim.slice(equals + 1))) state.sizes.set(dim.slice(0, equals), dim.slice(equals + 1));
  }
  const batch = Number(parameters.get('batch'));
  if (Number.isInteger(batch) && batch >= 1 && batch <= 1e9) state.batch = batch;
  const models = parameters.getAll('model');
  const devices = parameters.getAll('device');
  const pairs = models.slice(0, mostPairs).map((model, i) => ({ model, device: devices[i] ?? 'nvidia-t4' }));
  if (pairs.length > 0) state.pairs = pairs;
  return state;
}
