// From numbers to pixels: linear or logarithmic, with round ticks.

export interface Axis {
  at(value: number): number;
  ticks: number[];
}

// Steps of 1, 2 or 5 times a power of ten, from zero to above `high`; of whole numbers no fractions.
export function roundTicks(high: number, most = 5, whole = false): number[] {
  if (!(high > 0)) return [0];
  const tenth = 10 ** Math.floor(Math.log10(high / most));
  let step = [1, 2, 5, 10].map((factor) => factor * tenth).find((size) => high / size <= most) ?? tenth * 10;
  if (whole) step = Math.max(1, Math.round(step));
  const ticks: number[] = [];
  for (let i = 0; i * step <= high * 1.0001; i += 1) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

// Bytes: powers of two times 1 of their unit.
export function byteTicks(high: number, most = 5): number[] {
  let step = 1;
  while (high / step > most) step *= 2;
  const ticks: number[] = [];
  for (let at = 0; at <= high; at += step) ticks.push(at);
  return ticks;
}

export function logTicks(low: number, high: number, most = 7): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1)
    ticks.push(10 ** power);
  const seen = (tick: number): boolean => tick >= low * 0.999 && tick <= high * 1.001;
  const inside = ticks.filter(seen);
  if (inside.length < 3) return ticks.flatMap((tick) => [tick, 2 * tick, 5 * tick]).filter(seen); // a short span
  const every = Math.max(1, Math.ceil(inside.length / most));
  return inside.filter((_, i) => i % every === 0);
}

// Times as people say them.
export function timeTicks(low: number, high: number): number[] {
  const round = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 60, 600, 3600, 36000, 86400, 864000, 8640000, 86400000];
  return round.filter((tick) => tick >= low && tick <= high);
}

export function linear(low: number, high: number, from: number, to: number, ticks: number[]): Axis {
  const span = high - low || 1;
  return { at: (value) => from + ((value - low) / span) * (to - from), ticks };
}

export function logarithmic(low: number, high: number, from: number, to: number, ticks = logTicks(low, high)): Axis {
  const span = Math.log(high / low) || 1;
  return { at: (value) => from + (Math.log(Math.max(value, low * 1e-9) / low) / span) * (to - from), ticks };
}
