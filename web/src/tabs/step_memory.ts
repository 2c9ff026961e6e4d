// The memory of a step by what it is, operation by operation, whoever computes it: what the timeline draws.
import type { Fit, Step, TokenFit, TokenStep } from '../base/api';

export interface StepMemory {
  rows: Map<string, number[]>; // each part at each operation, from the ground up
  sums: number[]; // the largest is the headline's peak
  operations: { name: string; phase: string; tensor?: string; tensor_bytes?: number; seconds?: number }[] | null;
  fullest: string; // the operation of the peak
  line: number;
  fits: boolean;
}

const parts = ['fixed', 'parameters', 'optimizer', 'gradients', 'input', 'activations', 'workspace'];
const inStep = ['parameters', 'gradients', 'optimizer', 'activations', 'input']; // the order of alive_bytes

export function memoryOfSamples(fit: Fit, step: Step | null): StepMemory {
  const { tensors, workspace, fixed } = fit.timeline_parts;
  const known = step?.operations.length === tensors.length ? step.operations : null;
  const rows = new Map<string, number[]>(parts.map((part) => [part, []]));
  tensors.forEach((all, i) => {
    let left = all;
    const alive = known?.[i]?.alive_bytes;
    for (const part of inStep) {
      const size = alive ? Math.min(left, alive[inStep.indexOf(part)] ?? 0) : part === 'activations' ? left : 0;
      rows.get(part)!.push(size);
      left -= size;
    }
    rows.get('workspace')!.push((workspace[i] ?? 0) + left);
    rows.get('fixed')!.push(fixed);
  });
  return {
    rows,
    sums: fit.timeline,
    operations: known,
    fullest: fit.peak_operation,
    line: fit.line_bytes,
    fits: fit.fits,
  };
}

// What is there all the time first.
const tokenParts = [
  'fixed',
  'parameters',
  'adapters',
  'optimizer',
  'gradients',
  'communication',
  'input',
  'activations',
  'logits',
  'workspace',
  'slack',
];

export function memoryOfTokens(fit: TokenFit, step: TokenStep): StepMemory {
  const order = [...step.parts].sort((a, b) => tokenParts.indexOf(a) - tokenParts.indexOf(b));
  const row = (part: string): number[] => step.moments.map(({ bytes }) => bytes[step.parts.indexOf(part)] ?? 0);
  return {
    rows: new Map(order.map((part) => [part, row(part)])),
    sums: step.moments.map(({ bytes }) => bytes.reduce((sum, size) => sum + size, 0)),
    operations: step.moments,
    fullest: fit.peak_operation,
    line: fit.line_bytes,
    fits: fit.fits,
  };
}
