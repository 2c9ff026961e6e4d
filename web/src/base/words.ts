// Sentences of the program, for people who see a page and no command line: names of flags become the names that the
// page's fields have, and the server's name of a dropped file becomes the file's own.

import { bytes } from './units';

// What the page has a field for, by the flag.
const names: Record<string, string> = {
  model: 'Network',
  device: 'Device',
  batch: 'Batch',
  concurrency: 'Sequences at once',
  dim: 'Sizes that were left open',
  dtype: 'Number format',
  optimizer: 'Optimizer',
  sequence: 'Sequence',
  method: 'What is trained',
  checkpointing: 'Checkpointing',
  attention: 'Attention',
  logits: 'Logits',
  shard: 'Sharding',
  offload: 'On the host',
  workers: 'Devices',
  recompute: 'Recompute activations',
  'micro-batches': 'Micro-batches a step',
  weights: 'Weights',
  kv: 'Cache of keys and values',
  context: 'Context',
  'prompt-tokens': 'Prompt',
  'output-tokens': 'Answer',
  framework: 'Framework',
  'load-line': 'Load line',
  samples: 'Samples in the set',
  epochs: 'Epochs',
  tokens: 'Tokens in all',
  price: 'Price',
  link: 'Link between them',
  'critical-batch': 'Critical batch',
  data: 'Data',
  lr: 'Learning rate',
  input: 'Input size',
};

const files = new Map<string, string>();

export function nameFile(model: string, file: string): void {
  files.set(model, file);
}

export const fileName = (model: string): string => files.get(model) ?? model;

// The page tells memory in powers of two alone.
function binary(_: string, amount: string, unit: string): string {
  return bytes(Number(amount.replaceAll(',', '')) * { M: 1e6, G: 1e9, T: 1e12 }[unit]!);
}

// At the head of a column, on a tab.
export const nameOf = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const flag = /--([a-z][a-z0-9-]*)(=\S+| [A-Z]{2,}\b| N\b)?/g;

// Where to say otherwise on the command line: on the page too where all of it has fields.
function pointed(inner: string): string {
  const found = [...inner.matchAll(flag)].map(([, name]) => names[name!]);
  return found.every((name) => name !== undefined) ? ` (${inner.replace(flag, named)})` : '';
}

const named = (_: string, name: string): string =>
  names[name] === undefined ? name.replaceAll('-', ' ') : `“${names[name]}”`;

// "…, or as the noise scale with --noise-scale N": a way that the page does not have.
function otherWay(words: string): string {
  return [...words.matchAll(flag)].every(([, name]) => names[name!] !== undefined) ? words : '';
}

export function plain(sentence: string): string {
  let text = sentence;
  for (const [model, file] of files) text = text.replaceAll(model, file);
  text = text.replace(/ \([\d,]+ bytes\)/g, ''); // the same once more
  text = text.replace(/ \(plimsoll [a-z]+\)/g, '');
  text = text.replace(/ \(([^()]*--[a-z][^()]*)\)/g, (_, inner: string) => pointed(inner));
  text = text.replace(/, or [^.,;()]*--[a-z][^.,;()]*/g, otherWay);
  text = text.replace(/[\d.,]+ [MGT]B = ([\d.,]+ [KMGT]iB)/g, '$1').replace(/([\d.,]+) ([MGT])B(?![\w/])/g, binary);
  return text.replace(flag, named);
}
