// What would carry more, as changes of the page's state: the program says it in words, a click does it.
import type { AnyFit } from '../base/api';
import type { State } from '../base/state';
import { count } from '../base/units';

export interface Change {
  text: string; // "amp → 255"
  whole: string; // as the program says it
  set: Partial<State> | null; // null: there is no field for it
}

// `carried`: the batch that it makes room for.
type Rule = [
  pattern: RegExp,
  short: string,
  set: (found: RegExpExecArray, state: State, carried: number) => Partial<State>,
];

const rules: Rule[] = [
  [/^amp\b/, 'amp', () => ({ dtype: 'amp' })],
  [/^f16 instead/, 'f16', () => ({ dtype: 'f16' })],
  [/^recompute activations \(up to (\d+) %/, 'recompute', ([, share]) => ({ recompute: `${Number(share) / 100}` })],
  [/^(\w+) instead of/, '$1', ([, name]) => ({ optimizer: name ?? '' })],
  [
    /^(\d+) micro-batches of (\d+)/,
    '$1 micro-batches',
    ([, parts, of]) => ({ microBatches: parts ?? '', batch: Number(of) }),
  ],
  [
    /^(\d+) of these devices/,
    '$1 devices',
    ([, n], state, carried) => ({
      tab: 'scale',
      batch: Math.min(state.batch, Math.max(1, Math.floor(carried / Number(n)))), // of each of them
      most: `${Math.max(Number(state.most), Number(n))}`,
    }),
  ],
];

// Of networks of text several may stand in one sentence.
const parts: [pattern: RegExp, short: string, set: (found: RegExpExecArray) => Partial<State>][] = [
  [/flash attention/, 'flash attention', () => ({ attention: 'flash' })],
  [/chunked logits/, 'chunked logits', () => ({ logits: 'chunked' })],
  [/selective checkpointing/, 'selective checkpointing', () => ({ checkpointing: 'selective' })],
  [/full checkpointing/, 'checkpointing', () => ({ checkpointing: 'full' })],
  [/8-bit AdamW/, '8-bit AdamW', () => ({ optimizer: 'adamw8bit' })],
  [/\bQLoRA\b/, 'QLoRA', () => ({ method: 'qlora:16:all' })],
  [/\bLoRA of rank 16/, 'LoRA', () => ({ method: 'lora:16:all' })],
  [/optimizer's states on the host/, 'optimizer on the host', () => ({ offload: 'optimizer' })],
  [/parameters and states on the host/, 'all on the host', () => ({ offload: 'all' })],
  [/(?:over|on) (\d+) (?:of these )?devices/, '$1 devices', ([, n]) => ({ workers: n ?? '' })],
  [/\bfsdp\b/i, 'FSDP', () => ({ shard: 'fsdp' })],
  [/zero-?3/i, 'ZeRO-3', () => ({ shard: 'zero3' })],
  [/\bweights (?!that)([\w-]+)/, 'weights $1', ([, name]) => ({ weights: name ?? '' })],
  [/\bkv (\w+)/, 'cache $1', ([, name]) => ({ kv: name ?? '' })],
  [/concurrency (\d+)/, '$1 at once', ([, n]) => ({ concurrency: Number(n) })],
  [/(\d+) of \d+ layers on the CPU/, '$1 layers on the CPU', ([, n]) => ({ offload: n ?? '' })],
];

const filled = (short: string, found: RegExpExecArray): string =>
  short.replace(/\$(\d)/g, (_, at) => found[Number(at)] ?? '');

function change(words: string, carried: string, state: State, batch: number | null): Change {
  if (batch !== null)
    for (const [pattern, short, set] of rules) {
      const found = pattern.exec(words);
      if (found) return { text: `${filled(short, found)} → ${carried}`, whole: words, set: set(found, state, batch) };
    }
  const names: string[] = [];
  let all: Partial<State> = {};
  for (const [pattern, short, set] of parts) {
    const found = pattern.exec(words);
    if (!found || (short === 'LoRA' && names.includes('QLoRA'))) continue;
    names.push(filled(short, found));
    all = { ...all, ...set(found) };
  }
  if (names.length === 0) return { text: `${words} → ${carried}`, whole: words, set: null };
  return { text: `${names.join(' + ')} → ${carried}`, whole: words, set: all };
}

export function changesOf(fit: AnyFit, state: State): Change[] {
  if ('largest_concurrency' in fit)
    return fit.alternatives.map((other) =>
      change(other.change, `${count(other.concurrency)} × ${count(other.context)}`, state, null),
    );
  if ('largest_sequence' in fit)
    return fit.alternatives
      .filter((other) => other.batch > 0)
      .map((other) => change(other.change, count(other.batch), state, null));
  return fit.alternatives.map((other) => change(other.change, count(other.batch), state, other.batch));
}
