// Curves of several runs over one axis of steps, smoothed and without outliers where the reader wants it so.

export type Curve = [step: number, value: number][];

// The mean of what came before, older values counting less; `by` from 0, as it is, to nearly 1.
export function smoothed(curve: Curve, by: number): Curve {
  let [mean, weight] = [0, 0];
  return curve.map(([step, value]) => {
    mean = by * mean + (1 - by) * value;
    weight = by * weight + (1 - by);
    return [step, mean / weight];
  });
}

// Between the 2nd and the 98th of a hundred values, with as much room again: one spike must not press the rest flat.
export function usualRange(curves: Curve[]): [low: number, high: number] | null {
  const values = curves.flatMap((curve) => curve.map(([, value]) => value)).filter(Number.isFinite);
  if (values.length < 20) return null;
  values.sort((a, b) => a - b);
  const at = (share: number): number => values[Math.floor(share * (values.length - 1))]!;
  const room = (at(0.98) - at(0.02)) * 0.5;
  return [at(0.02) - room, at(0.98) + room];
}

// One column of steps, and a column a curve with gaps where it has nothing.
export function joined(curves: Curve[]): [number[], ...(number | null)[][]] {
  const steps = [...new Set(curves.flatMap((curve) => curve.map(([step]) => step)))].sort((a, b) => a - b);
  const places = new Map(steps.map((step, i) => [step, i]));
  const columns = curves.map((curve) => {
    const column: (number | null)[] = steps.map(() => null);
    for (const [step, value] of curve) column[places.get(step)!] = value;
    return column;
  });
  return [steps, ...columns];
}
