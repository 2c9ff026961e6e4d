// The memory of a step, operation by operation, stacked by what it is: where it is fullest, where forward turns into
// backward, and under the pointer what runs there and what it writes.
import { h } from '../base/dom';
import { bytes, count, roundBytes, seconds } from '../base/units';
import { axes, frame, type Frame } from '../draw/axes';
import { partColour, partName } from '../draw/palette';
import { type Axis, byteTicks, linear, roundTicks } from '../draw/scale';
import { picture, s, text } from '../draw/svg';
import type { StepMemory } from './step_memory';

export const timelineParts = ({ rows }: StepMemory): [string, string][] =>
  [...rows].filter(([, row]) => row.some((size) => size > 0)).map(([part]) => [partColour(part), partName(part)]);

function area(x: Axis, y: Axis, low: number[], high: number[]): string {
  let [above, below] = ['', ''];
  for (let i = 0; i < high.length; i += 1) {
    above += `${i === 0 ? 'M' : 'L'}${x.at(i).toFixed(1)} ${y.at(high[i]!).toFixed(1)}H${x.at(i + 1).toFixed(1)}`;
    const back = high.length - 1 - i;
    below += `L${x.at(back + 1).toFixed(1)} ${y.at(low[back]!).toFixed(1)}H${x.at(back).toFixed(1)}`;
  }
  return `${above}${below}Z`;
}

function phases({ operations }: StepMemory): [name: string, from: number, to: number][] {
  const found: [string, number, number][] = [];
  operations?.forEach((operation, i) => {
    const name = operation.phase === 'loss' ? 'forward' : operation.phase;
    const last = found[found.length - 1];
    if (last && last[0] === name) last[2] = i + 1;
    else found.push([name, i, i + 1]);
  });
  return found;
}

// `marked`: an operation that is pointed at; '' for none.
export function timeline(memory: StepMemory, marked: string, width: number, readout: HTMLElement): SVGSVGElement {
  const { rows, sums, line } = memory;
  const length = sums.length;
  const peak = Math.max(...sums);
  const at: Frame = { ...frame(width, 330, 74), top: 34 };
  const top = Math.max(peak, memory.fits ? 0 : line) * 1.06;
  const x = linear(0, length, at.left, width - at.right, roundTicks(length, width < 500 ? 3 : 6, true));
  const y = linear(0, top, at.height - at.bottom, at.top, byteTicks(top, 5));
  const svg = picture(width, at.height, `Memory during the step: ${count(length)} operations, at most ${bytes(peak)}`);
  let low = sums.map(() => 0);
  for (const [part, row] of rows) {
    const high = row.map((size, i) => low[i]! + size);
    const path = s('path', { class: 'band', 'data-part': part, d: area(x, y, low, high) });
    path.style.fill = partColour(part);
    svg.append(path);
    low = high;
  }
  svg.append(axes(at, x, y, ['operation of the step', ''], [count, roundBytes]));
  for (const [name, from, to] of phases(memory)) {
    const middle = (x.at(from) + x.at(to)) / 2;
    if (x.at(to) - x.at(from) > name.length * 7) svg.append(text(middle, at.top - 16, name, 'middle', 'phase'));
    if (from > 0)
      svg.append(
        s('line', { class: 'phase-line', x1: x.at(from), x2: x.at(from), y1: at.top - 12, y2: at.height - at.bottom }),
      );
  }
  if (line <= top) {
    const high = y.at(line);
    svg.append(
      s('line', { class: 'load-line', x1: at.left, x2: width - at.right, y1: high, y2: high }),
      text(width - at.right - 6, high - 5, `load line ${bytes(line)}`, 'end', 'line-text halo'), // little is held there
    );
  }
  svg.append(...peakMark(memory, x, y, width), pointer(memory, marked, x, at, readout));
  return svg;
}

function peakMark({ sums, fullest }: StepMemory, x: Axis, y: Axis, width: number): SVGElement[] {
  const peak = sums.indexOf(Math.max(...sums));
  const [left, high] = [x.at(peak + 0.5), y.at(sums[peak] ?? 0)];
  const where = width < 500 ? '' : ` at ${fullest}`;
  const words = `peak ${bytes(sums[peak] ?? 0)}${where}`;
  const long = words.length * 7.5;
  const anchor = left - long > 60 ? 'end' : left + long < width ? 'start' : 'middle';
  const place = anchor === 'middle' ? width / 2 + 20 : left + (anchor === 'end' ? -8 : 8);
  return [
    s('circle', { class: 'peak-dot', cx: left, cy: high, r: 4.5 }),
    text(place, high - 4, words, anchor, 'peak-text halo'),
  ];
}

// What runs where the pointer is. The keyboard moves it too.
function pointer(
  { sums, operations }: StepMemory,
  marked: string,
  x: Axis,
  at: Frame,
  readout: HTMLElement,
): SVGGElement {
  const length = sums.length;
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
    const operation = operations?.[i];
    line.setAttribute('x1', `${x.at(i + 0.5)}`);
    line.setAttribute('x2', `${x.at(i + 0.5)}`);
    line.setAttribute('visibility', 'visible');
    const words = [
      operation ? `${operation.name} (${operation.phase})` : `operation ${count(i + 1)}`,
      `${bytes(sums[i] ?? 0)} in memory`,
      operation?.tensor ? `writes ${operation.tensor}, ${bytes(operation.tensor_bytes ?? 0)}` : '',
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
  const place = marked === '' ? -1 : (operations?.findIndex((each) => each.name === marked) ?? -1);
  if (place >= 0) tell(place);
  return group;
}

export const readout = (): HTMLElement =>
  h(
    'output',
    { class: 'readout' },
    'Point at the picture, or use the arrow keys on it: what runs there, and what it writes.',
  );
