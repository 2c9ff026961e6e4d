// One colour a meaning, the same in every picture: parts of the memory, kinds of work, runs.

const parts: Record<string, string> = {
  parameters: 'parameters',
  weights: 'parameters',
  gradients: 'gradients',
  optimizer: 'optimizer',
  activations: 'activations',
  prefill: 'activations',
  workspace: 'workspace',
  scratch: 'workspace',
  input: 'input',
  adapters: 'adapters',
  logits: 'logits',
  kv: 'cache',
  kv_cache: 'cache',
  cache: 'cache',
  communication: 'exchange',
  fixed: 'fixed',
  context: 'fixed',
  slack: 'slack',
  spare: 'slack',
};

const others = ['adapters', 'logits', 'exchange', 'slack', 'cache'];

// A part that is not in the list has a colour of its own as well, by its name.
export function partColour(name: string): string {
  const known = parts[name] ?? parts[name.replace(/[ -]/g, '_')];
  if (known) return `var(--part-${known})`;
  let sum = 0;
  for (const letter of name) sum += letter.charCodeAt(0);
  return `var(--part-${others[sum % others.length]})`;
}

const kinds: Record<string, string> = {
  convolution: 'convolution',
  'grad data': 'grad-data',
  'grad weights': 'grad-weights',
  product: 'product',
  attention: 'attention',
  element: 'element',
  normalise: 'normalise',
  pool: 'pool',
  reduce: 'reduce',
  update: 'update',
  nothing: 'nothing',
};

export const kindColour = (kind: string): string => `var(--kind-${kinds[kind] ?? 'nothing'})`;

const kindNames: Record<string, string> = {
  convolution: 'convolution',
  'grad data': 'convolution, gradient of its input',
  'grad weights': 'convolution, gradient of its weights',
  product: 'matrix product',
  attention: 'attention',
  element: 'element by element',
  normalise: 'normalisation and softmax',
  pool: 'pooling',
  reduce: 'sums',
  update: 'update of parameters',
  nothing: 'views, free of charge',
};

export const kindName = (kind: string): string => kindNames[kind] ?? kind;

// Runs are told apart by colour alone where there are several, their splits by dashes.
export const runColours = ['run-0', 'run-1', 'run-2', 'run-3', 'run-4', 'run-5'];

const partNames: Record<string, string> = {
  fixed: 'driver and libraries',
  context: 'driver and libraries',
  input: 'input batch',
  optimizer: 'optimizer state',
  cache: 'cache of keys and values',
  kv: 'cache of keys and values',
  kv_cache: 'cache of keys and values',
  slack: 'gaps and rounding',
  spare: 'taken only if there is room',
};

// What a part of the memory is called, for people.
export const partName = (name: string): string => partNames[name] ?? name.replaceAll('_', ' ');
