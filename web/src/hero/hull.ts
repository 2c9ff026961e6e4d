// The load: what is in the memory at the peak, part by part, as a hull in the water, with the load line and the
// memory's end drawn where they are, and the range that the peak may have as a whisker beneath. The fuller it is, the
// deeper it lies; past the line it goes under.
import type { Answer } from '../base/answer';
import { fill, h } from '../base/dom';
import { bytes, percent } from '../base/units';
import { partColour, partName } from '../draw/palette';
import { picture, s, text, tip } from '../draw/svg';

const [deck, keel, height] = [54, 122, 186];
const [stern, bow] = [22, 54]; // how far their curves reach in
const [letter, bold] = [6.6, 7.5]; // pixels wide, about

type Scale = (value: number) => number;

export class Hull {
  readonly element = h('div', { class: 'hull' });
  private readonly place = h('div', { class: 'hull-place' });
  private readonly parts = h('ul', { class: 'legend parts' });
  private readonly about = h('p', { class: 'note hull-note' });
  private answer: Answer | null = null;

  constructor() {
    this.element.append(this.place, this.parts, this.about);
    new ResizeObserver(() => this.draw()).observe(this.place);
  }

  show(answer: Answer): void {
    this.answer = answer;
    this.draw();
    this.about.textContent = aboutHull(answer);
    fill(this.parts, ...answer.parts.map(([name, size]) => part(name, size, size < answer.peak * 0.03)));
  }

  private draw(): void {
    const width = Math.floor(this.place.clientWidth);
    if (this.answer && width > 0) fill(this.place, drawn(this.answer, width));
  }
}

// What the picture is, for who sees it first.
function aboutHull({ kind, loadLine }: Answer): string {
  const when = kind === 'serving' ? 'with every sequence at its full length' : 'at the fullest moment of a step';
  const reserve = loadLine < 1 ? ` The load line keeps ${percent(1 - loadLine)} in reserve.` : '';
  return `The hull is the device’s memory ${when}.${reserve}`;
}

const hasSpare = (answer: Answer): boolean => answer.parts.some(([name]) => name === 'spare');

// Small parts are left to the table where there is little room.
function part(name: string, size: number, small: boolean): HTMLElement {
  const swatch = h('span', { class: `swatch ${name}-swatch`, 'aria-hidden': 'true' });
  swatch.style.backgroundColor = partColour(name);
  const amount = h('b', {}, bytes(size));
  return h('li', { 'data-part': name, class: small ? 'small' : '' }, swatch, `${partName(name)} `, amount);
}

export function hullLabel(answer: Answer): string {
  const peak = answer.lowerBound ? 'peak, at least' : 'peak';
  const line = `load line ${percent(answer.loadLine)} = ${bytes(answer.line)}`;
  const needed = hasSpare(answer) ? `, needed ${bytes(answer.needed)}` : '';
  return `${peak} ${bytes(answer.peak)}${needed}, ${line}, memory ${bytes(answer.memory)}`;
}

function drawn(answer: Answer, width: number): SVGSVGElement {
  const whole = Math.max(answer.memory, answer.peak, answer.high) * 1.03;
  const x: Scale = (value) => 2 + (Math.max(0, value) / whole) * (width - 4);
  const svg = picture(width, height, hullLabel(answer));
  svg.classList.toggle('over', !answer.fits);
  const end = x(answer.memory);
  svg.append(definitions(end), ...sea(answer, width), s('path', { class: 'hold', d: outline(end) }));
  svg.append(segments(answer, x));
  if (!answer.fits) svg.append(...flooded(answer, x, width));
  svg.append(...lines(answer, x, width), ...whisker(answer, x, width));
  return svg;
}

// The hull's outline is that of the memory: what is past its end sticks out.
function outline(end: number): string {
  const front = Math.min(bow, (end - 2) / 2);
  return `M2 ${deck}H${end}Q${end - 4} ${keel} ${end - front} ${keel}H${2 + stern}Q2 ${keel} 2 ${deck}Z`;
}

function definitions(end: number): SVGDefsElement {
  const stripes = s(
    'pattern',
    { id: 'spare-stripes', width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    s('rect', { class: 'spare-stripe', width: 4, height: 7 }),
  );
  return s('defs', {}, s('clipPath', { id: 'hull-clip' }, s('path', { d: outline(end) })), stripes);
}

// Where the water stands: at the deck when the load is at its line, and above it past that.
function level(answer: Answer): number {
  const share = Math.min(1, answer.needed / Math.max(1, answer.line));
  return answer.fits ? keel - 12 - share * (keel - deck - 26) : deck - 7;
}

function sea(answer: Answer, width: number): SVGElement[] {
  let waves = `M0 ${level(answer)}`;
  for (let at = 0; at < width; at += 28) waves += 'q7 -5 14 0t14 0';
  return [s('path', { class: 'sea', d: `${waves}V${keel + 12}H0Z` }), s('path', { class: 'surface', d: waves })];
}

function segments(answer: Answer, x: Scale): SVGGElement {
  const group = s('g', answer.peak <= answer.memory ? { 'clip-path': 'url(#hull-clip)' } : {});
  let from = 0;
  for (const [name, size] of answer.parts) {
    const [left, right] = [x(from), x(from + size)];
    const place = { x: left, y: deck, width: Math.max(0.5, right - left), height: keel - deck };
    const box = s('rect', { class: 'part', 'data-part': name, ...place });
    box.style.fill = partColour(name);
    const words = partName(name);
    group.append(tip(box, `${words}: ${bytes(size)}`));
    if (name === 'spare') group.append(s('rect', { ...place, fill: 'url(#spare-stripes)', 'pointer-events': 'none' }));
    const middle = roomFor(words.length * letter + 16, left, right, x(answer.line));
    if (name !== 'spare' && middle !== null)
      group.append(text(middle, (deck + keel) / 2 + 4, words, 'middle', 'part-name'));
    from += size;
  }
  return group;
}

// Where a name of this width stands in a part: beside the load line, not under it. null: nowhere.
function roomFor(wide: number, left: number, right: number, line: number): number | null {
  const ends = [left, ...(line > left && line < right ? [line] : []), right];
  for (let i = 1; i < ends.length; i += 1)
    if (ends[i]! - ends[i - 1]! > wide) return (ends[i]! + ends[i - 1]!) / 2;
  return null;
}

// Past the line the load is under water.
function flooded(answer: Answer, x: Scale, width: number): SVGElement[] {
  const from = x(Math.min(answer.line, answer.peak));
  const right = Math.max(x(answer.peak), from + 3);
  const box = s('rect', { class: 'flood', x: from, y: deck, width: right - from, height: keel - deck });
  if (answer.breaking === '') return [box];
  const words = `breaks at ${answer.breaking}`;
  const shown = words.length * bold > width - 10 ? `${words.slice(0, Math.floor((width - 20) / bold))}…` : words;
  return [box, tip(text(width - 4, height - 4, shown, 'end', 'broken'), words)];
}

// A label beside its line, on the side where it has room: not over what ends at `after`.
function label(at: number, y: number, words: string, width: number, className: string, after = 0): SVGTextElement {
  const long = words.length * (className === 'line-text' ? bold : letter);
  if (at - long - 8 > after) return text(at - 6, y, words, 'end', className);
  if (at + long + 8 < width) return text(at + 6, y, words, 'start', className);
  return text(Math.min(at, width - long), y, words, 'start', className);
}

function lines(answer: Answer, x: Scale, width: number): SVGElement[] {
  const [line, end] = [x(answer.line), x(answer.memory)];
  const whole = `load line ${percent(answer.loadLine)} · ${bytes(answer.line)}`;
  const wide = whole.length * bold + 8;
  const onOneSide = line - wide > 0 || line + wide < width;
  const load = onOneSide ? whole : `load line ${bytes(answer.line)}`; // not over the line
  const memory = `memory ${bytes(answer.memory)}`;
  const long = memory.length * letter + 16;
  const hasRoom = end - long > line || end + long < width;
  return [
    s('line', { class: 'memory-end', x1: end, x2: end, y1: 20, y2: deck }),
    s('line', { class: 'load-line', x1: line, x2: line, y1: 4, y2: keel + 6 }),
    s('circle', { class: 'plimsoll-mark', cx: line, cy: deck - 11, r: 6.5 }),
    s('line', { class: 'plimsoll-mark', x1: line - 12, x2: line + 12, y1: deck - 11, y2: deck - 11 }),
    label(line, 12, load, width, 'line-text'),
    label(end, 31, hasRoom ? memory : bytes(answer.memory), width, 'end-text halo', line + 8),
  ];
}

// Where there is less that is needed than is taken, both are said: what is needed decides.
function peakText(answer: Answer, long: boolean): string {
  const exact = answer.high <= answer.low;
  const range = exact ? '' : ` (${bytes(answer.low)} to ${bytes(answer.high)})`;
  if (answer.lowerBound) return `at least ${bytes(answer.peak)}${range}`;
  if (!hasSpare(answer)) return `peak ${bytes(answer.peak)}${range}`;
  return long
    ? `needs ${bytes(answer.needed)}, takes ${bytes(answer.peak)}${range} if there is room`
    : `needs ${bytes(answer.needed)}, takes ${bytes(answer.peak)}`;
}

function whisker(answer: Answer, x: Scale, width: number): SVGElement[] {
  const y = keel + 20;
  const [low, peak, high] = [x(answer.low), x(answer.peak), x(answer.high)];
  const whole = peakText(answer, true);
  const words = whole.length * bold < width - 8 ? whole : peakText(answer, false);
  const half = (words.length * bold) / 2;
  const middle = Math.min(Math.max(peak, half + 4), width - half - 4);
  const marks: SVGElement[] = [s('path', { class: 'peak-mark', d: `M${peak} ${y - 9}l5 9h-10z` })];
  if (hasSpare(answer)) {
    const needed = x(answer.needed);
    marks.push(s('line', { class: 'needed-mark', x1: needed, x2: needed, y1: deck - 4, y2: y }));
  }
  if (answer.high > answer.low)
    marks.push(s('path', { class: 'whisker', d: `M${low} ${y - 5}v10M${low} ${y}H${high}M${high} ${y - 5}v10` }));
  return [...marks, tip(text(middle, y + 20, words, 'middle', 'peak-text'), whole)];
}
