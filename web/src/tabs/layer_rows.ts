// The layers of a network with the time of their operations in the step.
import type { Step, Weight } from '../base/api';

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

// An operation belongs to the layer whose name it begins with: "layer1.0.conv1.backward" to "layer1.0.conv1".
export function ownerOf(names: string[]): (operation: string) => string | undefined {
  const known = new Set(names);
  return (operation) => {
    for (let name = operation; name !== ''; name = name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : '')
      if (known.has(name)) return name;
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

export function layerRows(weigh: Weight, step: Step | null): LayerRow[] {
  const owner = ownerOf(weigh.layers.map((layer) => layer.name));
  const times = new Map<string, number>();
  const kinds = new Map<string, string>();
  for (const operation of step?.operations ?? []) {
    const layer = owner(operation.name);
    if (layer === undefined) continue;
    times.set(layer, (times.get(layer) ?? 0) + (operation.seconds ?? 0));
    if (operation.phase === 'forward' && !kinds.has(layer)) kinds.set(layer, operation.kind);
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
