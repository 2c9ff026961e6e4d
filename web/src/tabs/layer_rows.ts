// The layers of a network with the time of their operations in the step.
import type { Step, TokenStep, Weight } from '../base/api';

export interface LayerRow {
  name: string;
  op: string;
  kind: string; // of work, for its colour
  shape: string;
  params: number;
  macs: number;
  memory: number;
  seconds: number | null;
}

// An operation of the step, whoever computes it.
export interface LayerOperation {
  name: string;
  phase: string;
  kind: string;
  seconds?: number;
  alive: number; // bytes of tensors meanwhile
}

const sum = (sizes: number[]): number => sizes.reduce((all, size) => all + size, 0);

export const operationsOf = (step: Step): LayerOperation[] =>
  step.operations.map(({ name, phase, kind, seconds, alive_bytes }) => ({
    name,
    phase,
    kind,
    seconds,
    alive: sum(alive_bytes),
  }));

// "model.layers.7.mlp.up_proj": blocks that are alike differ in one number.
const ofAnyBlock = (name: string): string => name.replace(/\.\d+\./, '.*.');

// Times are known of operations that are alike, together: each has its share.
export function operationsOfTokens({ moments, kernels }: TokenStep): LayerOperation[] {
  const times = new Map<string, { kind: string; seconds: number }>();
  for (const { name, kind, seconds, count } of kernels ?? []) {
    times.set(name, { kind, seconds: seconds / count });
    if (count > 1) times.set(ofAnyBlock(name), { kind, seconds: seconds / count });
  }
  return moments.map(({ name, phase, bytes }) => {
    const time = times.get(name) ?? times.get(ofAnyBlock(name));
    return { name, phase, kind: time?.kind ?? '', seconds: time?.seconds, alive: sum(bytes) };
  });
}

// An operation belongs to the layer whose name it begins with: "layer1.0.conv1.backward" and "layer1.0.conv1, backward"
// to "layer1.0.conv1".
export function ownerOf(names: string[]): (operation: string) => string | undefined {
  const known = new Set(names);
  return (operation) => {
    const parts = operation.replace(/, \w+$/, '').split('.');
    for (let count = parts.length; count > 0; count -= 1) {
      const name = parts.slice(0, count).join('.');
      if (known.has(name)) return name;
    }
    return undefined;
  };
}

const kindOfOp = (op: string): string => {
  if (/conv/.test(op)) return 'convolution';
  if (/norm|softmax/.test(op)) return 'normalise';
  if (/pool/.test(op)) return 'pool';
  if (/linear|gemm|matmul|product|attention|expert/.test(op)) return 'product';
  if (/reduce|mean|sum/.test(op)) return 'reduce';
  return 'element';
};

export function layerRows(weigh: Weight, operations: LayerOperation[]): LayerRow[] {
  const owner = ownerOf(weigh.layers.map((layer) => layer.name));
  const times = new Map<string, number>();
  const kinds = new Map<string, string>();
  for (const operation of operations) {
    const layer = owner(operation.name);
    if (layer === undefined) continue;
    times.set(layer, (times.get(layer) ?? 0) + (operation.seconds ?? 0));
    if (operation.phase === 'forward' && operation.kind !== '' && !kinds.has(layer)) kinds.set(layer, operation.kind);
  }
  return weigh.layers.map((layer) => ({
    name: layer.name,
    op: layer.op,
    kind: kinds.get(layer.name) ?? kindOfOp(layer.op),
    shape: layer.output_shape?.join(' × ') ?? '',
    params: layer.params,
    macs: layer.macs,
    memory: layer.activation_bytes + layer.param_bytes,
    seconds: times.get(layer.name) ?? null,
  }));
}
