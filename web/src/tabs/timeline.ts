// The memory of a step, operation by operation, stacked by what it is: where it is fullest, where forward turns into
// backward, and under the pointer what runs there and what it writes.
import type { Fit, Step } from '../base/api';
import { h } from '../base/dom';
import { bytes, count, roundBytes, seconds } from '../base/units';
import { axes, frame, type Frame } from '../draw/axes';
import { partColour, partName } from '../draw/palette';
import { type Axis, byteTicks, linear, roundTicks } from '../draw/scale';
import { picture, s, text } from '../draw/svg';

const parts = ['fixed', 'parameters', 'optimizer', 'gradients', 'input', 'activations', 'workspace'] as const;
const inStep = ['parameters', 'gradients', 'optimizer', 'activations', 'input']; // the order of alive_bytes

// Each part at each operation. The sum is the timeline, whose largest value is the headline's peak.
export function stacked(fit: Fit, step: Step | null): Map<string, number[]> {
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
  return rows;
}

export const timelineParts = (rows: Map<string, number[]>): [string, string][] =>
  parts.filter((part) => rows.get(part)!.some((size) => size > 0)).map((part) => [partColour(part), partName(part)]);

function area(x: Axis, y: Axis, low: number[], high: number[]): string {
  let [above, below] = ['', ''];
  for (let i = 0; i < high.length; i += 1) {
    above += `${i === 0 ? 'M' : 'L'}${x.at(i).toFixed(1)} ${y.at(high[i]!).toFixed(1)}H${x.at(i + 1).toFixed(1)}`;
    const back = high.length - 1 - i;
    below += `L${x.at(back + 1).toFixed(1)} ${y.at(low[back]!).toFixed(1)}H${x.at(back).toFixed(1)}`;
  }
  return `${above}${below}Z`;
}

function phases(step: Step | null, length: number): [name: string, from: number, to: number][] {
  if (step?.operations.length !== length) return [];
  const found: [string, number, number][] = [];
  step.operations.forEach((operation, i) => {
    const name = operation.phase === 'loss' ? 'forward' : operation.phase;
    const last = found[found.length - 1];
    if (last && last[0] === name) last[2] = i + 1;
    else found.push([name, i, i + 1]);
  });
  return found;
}

export interface TimelineLook {
  fit: Fit;
  step: Step | null;
  marked: string; // an operation that is pointed at; '' for none
}

export function timeline(look: TimelineLook, width: number, readout: HTMLElement): SVGSVGElement {
  const { fit, step } = look;
  const rows = stacked(fit, step);
  const length = fit.timeline.length;
  const at: Frame = { ...frame(width, 330, 74), top: 34 };
  const top = Math.max(fit.peak_bytes, fit.fits ? 0 : fit.line_bytes) * 1.06;
  const x = linear(0, length, at.left, width - at.right, roundTicks(length, width < 500 ? 3 : 6, true));
  const y = linear(0, top, at.height - at.bottom, at.top, byteTicks(top, 5));
  const svg = picture(
    width,
    at.height,
    `Memory during the step: ${count(length)} operations, at most ${bytes(Math.max(...fit.timeline))}`,
  );
  let low = fit.timeline.map(() => 0);
  for (const part of parts) {
    const high = rows.get(part)!.map((size, i) => low[i]! + size);
    const path = s('path', { class: 'band', 'data-part': part, d: area(x, y, low, high) });
    path.style.fill = partColour(part);
    svg.append(path);
    low = high;
  }
  svg.append(axes(at, x, y, ['operation of the step', ''], [count, roundBytes]));
  for (const [name, from, to] of phases(step, length)) {
    const middle = (x.at(from) + x.at(to)) / 2;
    if (x.at(to) - x.at(from) > name.length * 7) svg.append(text(middle, at.top - 16, name, 'middle', 'phase'));
    if (from > 0)
      svg.append(
        s('line', { class: 'phase-line', x1: x.at(from), x2: x.at(from), y1: at.top - 12, y2: at.height - at.bottom }),
      );
  }
  if (fit.line_bytes <= top) {
    const line = y.at(fit.line_bytes);
    svg.append(
      s('line', { class: 'load-line', x1: at.left, x2: width - at.right, y1: line, y2: line }),
      text(at.left + 6, line - 5, `load line ${bytes(fit.line_bytes)}`, 'start', 'line-text halo'),
    );
  }
  svg.append(...peakMark(fit, x, y, width), pointer(look, x, at, readout));
  return svg;
}

function peakMark(fit: Fit, x: Axis, y: Axis, width: number): SVGElement[] {
  const peak = fit.timeline.indexOf(Math.max(...fit.timeline));
  const [left, high] = [x.at(peak + 0.5), y.at(fit.timeline[peak] ?? 0)];
  const where = width < 500 ? '' : ` at ${fit.peak_operation}`;
  const words = `peak ${bytes(fit.timeline[peak] ?? 0)}${where}`;
  const long = words.length * 7.5;
  const anchor = left - long > 60 ? 'end' : left + long < width ? 'start' : 'middle';
  const place = anchor === 'middle' ? width / 2 + 20 : left + (anchor === 'end' ? -8 : 8);
  return [
    s('circle', { class: 'peak-dot', cx: left, cy: high, r: 4.5 }),
    text(place, high - 4, words, anchor, 'peak-text halo'),
  ];
}

// What runs where the pointer is. The keyboard moves it too.
function pointer(look: TimelineLook, x: Axis, at: Frame, readout: HTMLElement): SVGGElement {
  const { fit, step } = look;
  const length = fit.timeline.length;
  const line = s('line', { class: 'pointer', y1: at.top, y2: at.height - at.bottom, visibility: 'hidden' });
  const field = s('rect', {
    x: at.left,
    y: at.top,
    width: Math.max(0, at.width - at.left - at.right),
    height: at.height - at.top - at.bottom,
    fill: 'transparent',
  });
  const group = s('g', { class: 'pointed' }, line, field);
  let told = 0;
  const tell = (i: number): void => {
    told = i;
    const operation = step?.operations.length === length ? step.operations[i] : undefined;
    line.setAttribute('x1', `${x.at(i + 0.5)}`);
    line.setAttribute('x2', `${x.at(i + 0.5)}`);
    line.setAttribute('visibility', 'visible');
    const words = [
      operation ? `${operation.name} (${operation.phase})` : `operation ${count(i + 1)}`,
      `${bytes(fit.timeline[i] ?? 0)} in memory`,
      operation?.tensor ? `writes ${operation.tensor}, ${bytes(operation.tensor_bytes)}` : '',
      operation?.seconds ? seconds(operation.seconds) : '',
    ];
    readout.textContent = words.filter((word) => word !== '').join(' · ');
  };
  field.addEventListener('pointermove', (event) => {
    const box = field.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    tell(Math.min(length - 1, Math.max(0, Math.floor(share * length))));
  });
  group.addEventListener('move', (event) => {
    tell(Math.min(length - 1, Math.max(0, told + (event as CustomEvent<number>).detail)));
  });
  const marked = look.marked === '' ? -1 : (step?.operations.findIndex((each) => each.name === look.marked) ?? -1);
  if (marked >= 0) tell(marked);
  return group;
}

export const readout = (): HTMLElement =>
  h(
    'output',
    { class: 'readout' },
    'Point at the picture, or use the arrow keys on it: what runs there, and what it writes.',
  );
