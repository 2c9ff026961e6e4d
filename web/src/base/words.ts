// Sentences of the program, for people who see a page and no command line: names of flags become the names that the
// page's fields have, and the server's name of a dropped file becomes the file's own.

import { bytes } from './units';

const names: Record<string, string> = {
  dtype: 'number format',
  'load-line': 'load line',
  'micro-batches': 'micro-batches',
  'critical-batch': 'critical batch',
  'tensor-parallel': 'tensor parallelism',
  'context-parallel': 'context parallelism',
  'expert-parallel': 'expert parallelism',
  dim: 'sizes that were left open',
  kv: 'cache format',
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

export function plain(sentence: string): string {
  let text = sentence;
  for (const [model, file] of files) text = text.replaceAll(model, file);
  text = text.replace(/[\d.,]+ [MGT]B = ([\d.,]+ [KMGT]iB)/g, '$1').replace(/([\d.,]+) ([MGT])B(?![\w/])/g, binary);
  return text.replace(
    /--([a-z][a-z0-9-]*)(=\S+| [A-Z]{2,}\b| N\b)?/g,
    (_, flag: string) => `“${names[flag] ?? flag.replaceAll('-', ' ')}”`,
  );
}
