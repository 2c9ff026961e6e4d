// The log of a training as curves over its steps. A resumed run takes steps again: what it logged of them before is
// forgotten.
import type { LogLine } from '../base/api';

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

interface Point {
  step: number;
  values: Partial<Record<Curve, number>>;
}

export class RunLog {
  last: LogLine | null = null; // the last epoch
  test: LogLine | null = null;
  end: LogLine | null = null;
  step = 0;
  stepsPerEpoch = 0;
  private points: Point[] = [];
  private firstAt: [step: number, seconds: number] | null = null; // of this process
  private lastAt: [step: number, seconds: number] | null = null;

  add(lines: LogLine[]): void {
    for (const line of lines) this.take(line);
  }

  get(name: Curve): [step: number, value: number][] {
    const found: [number, number][] = [];
    for (const { step, values } of this.points) {
      const value = values[name];
      if (value !== undefined) found.push([step, value]);
    }
    return found;
  }

  // Until step `all`, at the pace so far; null before there is one.
  secondsLeft(all: number): number | null {
    if (!this.firstAt || !this.lastAt || this.lastAt[0] <= this.firstAt[0] || all <= this.step) return null;
    return ((this.lastAt[1] - this.firstAt[1]) / (this.lastAt[0] - this.firstAt[0])) * (all - this.step);
  }

  private take(line: LogLine): void {
    const step = typeof line.step === 'number' ? line.step : this.step;
    if (line.event === 'start' || line.event === 'resume') {
      this.points = this.points.filter((point) => point.step <= step);
      this.end = this.firstAt = this.lastAt = null;
      if (typeof line.steps_per_epoch === 'number') this.stepsPerEpoch = line.steps_per_epoch;
    }
    this.step = step;
    if (line.event === 'step' && typeof line.seconds === 'number') {
      this.firstAt ??= [step, line.seconds];
      this.lastAt = [step, line.seconds];
    }
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
