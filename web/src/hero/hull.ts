// The load: what is in the memory at the peak, part by part, as a hull in the water, with the load line and the
// memory's end drawn where they are, and the range that the peak may have as a whisker beneath.
import type { Answer } from '../base/answer';
import { fill, h } from '../base/dom';
import { bytes, percent } from '../base/units';
import { partColour } from '../draw/palette';
import { picture, s, text, tip } from '../draw/svg';

const [deck, keel, height] = [50, 112, 172];
const round = 26; // of the hull's ends below
const letter = 6.6; // pixels, about

export class Hull {
  readonly element = h('div', { class: 'hull' });
  private readonly place = h('div', { class: 'hull-place' });
  private readonly parts = h('ul', { class: 'legend parts' });
  private answer: Answer | null = null;

  constructor() {
    this.element.append(this.place, this.parts);
    new ResizeObserver(() => this.draw()).observe(this.place);
  }

  show(answer: Answer): void {
    this.answer = answer;
    this.draw();
    fill(this.parts, ...answer.parts.map(([name, size]) => part(name, size, size < answer.peak * 0.03)));
  }

  private draw(): void {
    const width = Math.floor(this.place.clientWidth);
    if (this.answer && width > 0) fill(this.place, drawn(this.answer, width));
  }
}

// Small parts are left to the table where there is little room.
function part(name: string, size: number, small: boolean): HTMLElement {
  const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
  swatch.style.background = partColour(name);
  return h(
    'li',
    { 'data-part': name, class: small ? 'small' : '' },
    swatch,
    `${name.replaceAll('_', ' ')} `,
    h('b', {}, bytes(size)),
  );
}

export function hullLabel(answer: Answer): string {
  const peak = answer.lowerBound ? 'peak, at least' : 'peak';
  const line = `load line ${percent(answer.loadLine)} = ${bytes(answer.line)}`;
  return `${peak} ${bytes(answer.peak)}, ${line}, memory ${bytes(answer.memory)}`;
}

function drawn(answer: Answer, width: number): SVGSVGElement {
  const whole = Math.max(answer.memory, answer.peak, answer.high) * 1.03;
  const x = (value: number): number => 2 + (Math.max(0, value) / whole) * (width - 4);
  const over = !answer.fits;
  const svg = picture(width, height, hullLabel(answer));
  svg.classList.toggle('over', over);
  svg.append(shape(x(answer.memory), 'hull-clip'), sea(width, over), hold(answer, x), ...segments(answer, x));
  if (over) svg.append(...flooded(answer, x, width));
  svg.append(...lines(answer, x, width), ...whisker(answer, x, width));
  return svg;
}

// The hull's outline is that of the memory: what is past its end sticks out.
function outline(end: number): string {
  const bow = `V${keel - round}Q${end} ${keel} ${end - round} ${keel}`;
  return `M2 ${deck}H${end}${bow}H${2 + round}Q2 ${keel} 2 ${keel - round}Z`;
}

const shape = (end: number, id: string): SVGDefsElement =>
  s('defs', {}, s('clipPath', { id }, s('path', { d: outline(end) })));

function sea(width: number, over: boolean): SVGPathElement {
  const level = over ? deck - 8 : keel - 24;
  let path = `M0 ${level}`;
  for (let at = 0; at < width; at += 28) path += `q7 -5 14 0t14 0`;
  return s('path', { class: 'sea', d: `${path}V${keel + 14}H0Z` });
}

const hold = (answer: Answer, x: (value: number) => number): SVGPathElement =>
  s('path', { class: 'hold', d: outline(x(answer.memory)) });

function segments(answer: Answer, x: (value: number) => number): SVGElement[] {
  const inside = s('g', { 'clip-path': answer.peak <= answer.memory ? 'url(#hull-clip)' : 'none' });
  let from = 0;
  for (const [name, size] of answer.parts) {
    const [left, right] = [x(from), x(from + size)];
    const box = s('rect', {
      class: 'part',
      'data-part': name,
      x: left,
      y: deck,
      width: Math.max(0.5, right - left),
      height: keel - deck,
    });
    box.style.fill = partColour(name);
    inside.append(tip(box, `${name.replaceAll('_', ' ')}: ${bytes(size)}`));
    const words = name.replaceAll('_', ' ');
    if (right - left > words.length * letter + 16)
      inside.append(text((left + right) / 2, (deck + keel) / 2 + 4, words, 'middle', 'part-name'));
    from += size;
  }
  return [inside];
}

// Past the line the load is under water.
function flooded(answer: Answer, x: (value: number) => number, width: number): SVGElement[] {
  const from = x(Math.min(answer.line, answer.peak));
  const right = Math.max(x(answer.peak), from + 3);
  const box = s('rect', { class: 'flood', x: from, y: deck, width: right - from, height: keel - deck });
  if (answer.breaking === '') return [box];
  const words = `breaks at ${answer.breaking}`;
  const shown = words.length * letter > width - 10 ? `${words.slice(0, Math.floor((width - 20) / letter))}…` : words;
  return [box, tip(text(width - 4, height - 4, shown, 'end', 'broken'), words)];
}

// A label beside its line, on the side where it has room.
function label(at: number, y: number, words: string, width: number, className: string): SVGTextElement {
  const long = words.length * letter;
  if (at - long - 8 > 0) return text(at - 6, y, words, 'end', className);
  if (at + long + 8 < width) return text(at + 6, y, words, 'start', className);
  return text(Math.min(at, width - long), y, words, 'start', className);
}

function lines(answer: Answer, x: (value: number) => number, width: number): SVGElement[] {
  const [line, end] = [x(answer.line), x(answer.memory)];
  const load = `load line ${percent(answer.loadLine)} · ${bytes(answer.line)}`;
  return [
    s('line', { class: 'memory-end', x1: end, x2: end, y1: 18, y2: keel + 2 }),
    s('line', { class: 'load-line', x1: line, x2: line, y1: 4, y2: keel + 6 }),
    s('circle', { class: 'plimsoll-mark', cx: line, cy: deck - 9, r: 5.5 }),
    s('line', { class: 'plimsoll-mark', x1: line - 10, x2: line + 10, y1: deck - 9, y2: deck - 9 }),
    label(line, 12, load, width, 'line-text'),
    label(end, 29, `memory ${bytes(answer.memory)}`, width, 'end-text halo'),
  ];
}

function whisker(answer: Answer, x: (value: number) => number, width: number): SVGElement[] {
  const y = keel + 18;
  const [low, peak, high] = [x(answer.low), x(answer.peak), x(answer.high)];
  const exact = answer.high <= answer.low;
  const range = exact ? '' : ` (${bytes(answer.low)} to ${bytes(answer.high)})`;
  const words = `${answer.lowerBound ? 'at least' : 'peak'} ${bytes(answer.peak)}${range}`;
  const half = (words.length * letter) / 2;
  const middle = Math.min(Math.max(peak, half + 4), width - half - 4);
  const marks = [s('path', { class: 'peak-mark', d: `M${peak} ${y - 9}l5 9h-10z` })];
  if (!exact)
    marks.push(s('path', { class: 'whisker', d: `M${low} ${y - 5}v10M${low} ${y}H${high}M${high} ${y - 5}v10` }));
  return [...marks, text(middle, y + 20, words, 'middle', 'peak-text')];
}
