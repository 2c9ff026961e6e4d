// The frame of a drawing: two axes with their ticks and labels.
import type { Axis } from './scale';
import { s, text } from './svg';

export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number; // distances from the edges
}

const letter = 6.6; // pixels wide, about

export const frame = (width: number, height: number, left = 64): Frame => ({
  width,
  height,
  left: width < 480 ? Math.min(left, 72) : left,
  right: 14,
  top: 26,
  bottom: 42,
});

export function axes(
  at: Frame,
  x: Axis,
  y: Axis,
  names: [x: string, y: string],
  show: [x: (value: number) => string, y: (value: number) => string],
): SVGGElement {
  const low = at.height - at.bottom;
  const group = s('g', { class: 'axes' });
  for (const tick of y.ticks)
    group.append(
      s('line', { class: 'grid', x1: at.left, x2: at.width - at.right, y1: y.at(tick), y2: y.at(tick) }),
      text(at.left - 6, y.at(tick) + 4, show[1](tick), 'end'),
    );
  let taken = -Infinity; // how far the names of ticks reach: one that has no room is left out
  for (const tick of x.ticks) {
    group.append(s('line', { class: 'tick', x1: x.at(tick), x2: x.at(tick), y1: low, y2: low + 4 }));
    const words = show[0](tick);
    const half = (words.length * letter) / 2;
    const middle = Math.min(x.at(tick), at.width - half);
    if (middle - half < taken + letter) continue;
    taken = middle + half;
    group.append(text(middle, low + 17, words, 'middle'));
  }
  group.append(
    s('line', { class: 'axis', x1: at.left, x2: at.width - at.right, y1: low, y2: low }),
    text((at.left + at.width - at.right) / 2, at.height - 6, names[0], 'middle', 'axis-name'),
    text(4, 14, names[1], 'start', 'axis-name'),
  );
  return group;
}
