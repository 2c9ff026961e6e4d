// The fields of a job, one row each: what it is called, what may be in it, and for which questions it is there.
import type { Choices } from '../base/api';
import type { Kind } from '../base/job';
import type { Field } from '../base/state';
import { wrongNumber } from '../base/units';

export interface JobField {
  name: Field;
  label: string;
  about: string; // what it is, in a few words
  request: string; // what the server calls it, for its complaints
  for: (kind: Kind, trains: boolean, text: boolean) => boolean;
  choices?: (choices: Choices, kind: Kind) => [value: string, text: string][];
  min?: number;
  max?: number;
  whole?: boolean;
  empty?: string; // what an empty field means; absent: it may not be empty
}

const same = (names: string[]): [string, string][] => names.map((name) => [name, name]);
const usual = (text: string, names: string[]): [string, string][] => [['', text], ...same(names)];
const [tokens, serving, samples] = [
  (kind: Kind) => kind === 'tokens',
  (kind: Kind) => kind === 'serving',
  (kind: Kind) => kind === 'samples',
];

export const jobFields: JobField[] = [
  {
    name: 'dtype',
    label: 'Number format',
    about: 'how numbers are stored and multiplied',
    request: 'dtype',
    for: (kind) => kind !== 'serving',
    choices: (choices, kind) =>
      kind === 'tokens'
        ? usual('automatic', ['bf16', 'amp-bf16', 'amp', 'f32', 'f16', 'fp8'])
        : usual(
            'f32, or the file’s',
            choices.formats.filter((format) => format !== ''),
          ),
  },
  {
    name: 'optimizer',
    label: 'Optimizer',
    about: 'what updates the weights',
    request: 'optimizer',
    for: (kind, trains) => trains && kind !== 'serving',
    choices: (choices, kind) =>
      kind === 'tokens'
        ? usual(
            'adamw',
            choices.token_optimizers.filter((name) => name !== 'adamw'),
          )
        : usual(
            choices.default_optimizer,
            choices.optimizers.filter((name) => name !== choices.default_optimizer),
          ),
  },
  {
    name: 'sequence',
    label: 'Sequence, tokens',
    about: 'tokens in one sample',
    request: 'sequence',
    for: (kind, _, text) => text && kind !== 'serving',
    min: 1,
    max: 1 << 24,
    whole: true,
    empty: 'automatic',
  },
  {
    name: 'method',
    label: 'What is trained',
    about: 'all weights, or small adapters',
    request: 'method',
    for: tokens,
    choices: () => [
      ['', 'all of it (full fine-tuning)'],
      ['lora:16', 'LoRA, rank 16, q and v'],
      ['lora:16:all', 'LoRA, rank 16, all layers'],
      ['qlora:16', 'QLoRA, rank 16, q and v'],
      ['qlora:16:all', 'QLoRA, rank 16, all layers'],
      ['dora:16', 'DoRA, rank 16, q and v'],
    ],
  },
  {
    name: 'checkpointing',
    label: 'Checkpointing',
    about: 'less memory, more computing',
    request: 'checkpointing',
    for: tokens,
    choices: () => [
      ['', 'none'],
      ['selective', 'selective'],
      ['full', 'full'],
    ],
  },
  {
    name: 'attention',
    label: 'Attention',
    about: 'the kernel that computes it',
    request: 'attention',
    for: tokens,
    choices: () => usual('automatic', ['flash', 'sdpa', 'eager']),
  },
  {
    name: 'logits',
    label: 'Logits',
    about: 'format of the output scores',
    request: 'logits',
    for: tokens,
    choices: () => usual('f32', ['bf16', 'chunked']),
  },
  {
    name: 'shard',
    label: 'Sharding',
    about: 'what the devices divide among them',
    request: 'shard',
    for: tokens,
    choices: () => usual('none', ['zero1', 'zero2', 'zero3', 'fsdp', 'hsdp']),
  },
  {
    name: 'offload',
    label: 'On the host',
    about: 'kept in the RAM of the host',
    request: 'offload',
    for: tokens,
    choices: () => [
      ['', 'nothing'],
      ['optimizer', 'optimizer'],
      ['all', 'parameters and optimizer'],
    ],
  },
  {
    name: 'workers',
    label: 'Devices',
    about: 'that share the work',
    request: 'workers',
    for: (kind) => kind !== 'samples',
    min: 1,
    max: 1e6,
    whole: true,
    empty: 'as it has',
  },
  {
    name: 'recompute',
    label: 'Recompute activations',
    about: 'less memory, more computing',
    request: 'recompute',
    for: (kind, trains) => samples(kind) && trains,
    choices: () => [
      ['', 'none'],
      ['0.05', 'up to 5 % of the forward pass'],
      ['0.35', 'up to 35 % of the forward pass'],
      ['1', 'up to 100 % of the forward pass'],
    ],
  },
  {
    name: 'microBatches',
    label: 'Micro-batches a step',
    about: 'less memory, the same update',
    request: 'micro_batches',
    for: (kind, trains) => samples(kind) && trains,
    min: 1,
    max: 4096,
    whole: true,
    empty: '1',
  },
  {
    name: 'weights',
    label: 'Weights',
    about: 'their number format',
    request: 'weights',
    for: serving,
    choices: (choices) =>
      usual(
        'bf16',
        choices.weights.filter((name) => name !== 'bf16'),
      ),
  },
  {
    name: 'kv',
    label: 'Cache of keys and values',
    about: 'what attention remembers of a text',
    request: 'kv',
    for: serving,
    choices: (choices) =>
      usual(
        'bf16',
        choices.kv.filter((name) => name !== 'bf16'),
      ),
  },
  {
    name: 'context',
    label: 'Context, tokens',
    about: 'room for prompt and answer',
    request: 'context',
    for: serving,
    min: 1,
    max: 1e7,
    whole: true,
  },
  {
    name: 'prompt',
    label: 'Prompt, tokens',
    about: 'read before the first token',
    request: 'prompt_tokens',
    for: serving,
    min: 1,
    max: 1e7,
    whole: true,
  },
  {
    name: 'output',
    label: 'Answer, tokens',
    about: 'written for each prompt',
    request: 'output_tokens',
    for: serving,
    min: 1,
    max: 1e7,
    whole: true,
  },
  {
    name: 'framework',
    label: 'Framework',
    about: 'whose memory and speed are predicted',
    request: 'framework',
    for: (kind) => kind !== 'tokens',
    choices: (choices, kind) => {
      const served = ['hf', 'vllm', 'llama.cpp', 'gpt-fast'];
      const names = choices.frameworks.filter((name) => served.includes(name) === (kind === 'serving'));
      return usual('automatic', names);
    },
  },
  {
    name: 'loadLine',
    label: 'Load line, 0 to 1',
    about: 'share of the memory that may be filled',
    request: 'load_line',
    for: () => true,
    min: 0.01,
    max: 1,
  },
  {
    name: 'samples',
    label: 'Samples in the set',
    about: 'in one epoch',
    request: 'samples',
    for: (kind) => kind !== 'serving',
    min: 1,
    max: 1e12,
    whole: true,
  },
  {
    name: 'epochs',
    label: 'Epochs',
    about: 'times through the set',
    request: 'epochs',
    for: (kind, trains) => trains && kind !== 'serving',
    min: 1,
    max: 1e9,
    whole: true,
  },
  {
    name: 'tokens',
    label: 'Tokens in all',
    about: 'instead of samples × epochs',
    request: 'tokens',
    for: tokens,
    min: 1,
    max: 1e18,
    empty: 'samples × epochs',
  },
  {
    name: 'price',
    label: 'Price, USD an hour',
    about: 'what the cost is reckoned from',
    request: 'price',
    for: () => true,
    min: 0,
    max: 1e9,
    empty: 'the catalog’s',
  },
];

// What is wrong with a number that was typed; '' when nothing is.
export function wrongWith(field: JobField, value: string): string {
  if (value === '') return field.empty === undefined ? 'A number is needed' : '';
  return wrongNumber(value, field.min ?? -Infinity, field.max ?? Infinity, field.whole ?? false);
}
