// The log of a training as curves over its steps. A resumed run takes steps again: what it logged of them before is
// forgotten.
import type uPlot from 'uplot';
import type { LogLine } from './api';

export type Curve = 'loss' | 'val_loss' | 'accuracy' | 'val_accuracy' | 'speed' | 'memory' | 'rate';

const sources: Record<Curve, [event: string, field: string]> = {
  loss: ['step', 'loss'],
  val_loss: ['epoch', 'val_loss'],
  accuracy: ['step', 'accuracy'],
  val_accuracy: ['epoch', 'val_accuracy'],
  speed: ['step', 'images_per_second'],
  memory: ['utilisation', 'resident_bytes'],
  rate: ['step', 'learning_rate'],
};

export class RunLog {
  last: LogLine | null = null; // the last epoch
  test: LogLine | null = null;
  end: LogLine | null = null;
  step = 0;
  private points: { step: number; values: Partial<Record<Curve, number>> }[] = [];

  add(lines: LogLine[]): void {
    for (const line of lines) this.take(line);
  }

  curves(names: Curve[]): uPlot.AlignedData {
    const used = this.points.filter((point) => names.some((name) => point.values[name] !== undefined));
    return [used.map((point) => point.step), ...names.map((name) => used.map((point) => point.values[name] ?? null))];
  }

  private take(line: LogLine): void {
    const step = typeof line.step === 'number' ? line.step : this.step;
    if (line.event === 'resume') {
      this.points = this.points.filter((point) => point.step <= step);
      this.end = null;
    }
    this.step = step;
    if (line.event === 'epoch') this.last = line;
    if (line.event === 'test') this.test = line;
    if (line.event === 'end') this.end = line;
    for (const [name, [event, field]] of Object.entries(sources) as [Curve, [string, string]][]) {
      const value = line[field];
      if (line.event !== event || typeof value !== 'number') continue;
      const before = this.points[this.points.length - 1];
      if (before?.step === step) before.values[name] = value;
      else this.points.push({ step, values: { [name]: value } });
    }
  }
}
