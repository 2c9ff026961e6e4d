// The answer as a picture to pass on: verdict, load, three numbers and what was assumed.
import type { Answer } from '../base/answer';
import { colour } from '../base/theme';
import { bytes, percent } from '../base/units';
import { partColour, partName } from '../draw/palette';
import { Card, margin, width } from './card';

const resolved = (variable: string): string => colour(variable.replace(/^var\(--|\)$/g, ''));

function hull(card: Card, answer: Answer, y: number): void {
  const [left, wide, high] = [margin, width - 2 * margin, 72];
  const whole = Math.max(answer.memory, answer.peak) * 1.02;
  const x = (value: number): number => left + (value / whole) * wide;
  card.box(left, y, x(answer.memory) - left, high, colour('ground'));
  let from = 0;
  for (const [name, size] of answer.parts) {
    card.box(x(from), y, x(from + size) - x(from), high, resolved(partColour(name)));
    from += size;
  }
  card.box(x(answer.line) - 2, y - 34, 4, high + 42, colour('bad'));
  card.box(x(answer.memory) - 1, y - 10, 2, high + 18, colour('ink'));
  const line = `load line ${percent(answer.loadLine)}, ${bytes(answer.line)}`;
  card.right(line, x(answer.line) - 10, y - 16, 20, colour('bad'));
  card.right(`memory ${bytes(answer.memory)}`, x(answer.memory), y + high + 30, 20, colour('soft'));
  const room = answer.needed < answer.peak * 0.98 ? `needs ${bytes(answer.needed)}, takes` : 'peak';
  card.words(`${room} ${bytes(answer.peak)}`, left, y + high + 30, 20, colour('ink'));
  const large = answer.parts.filter(([, size]) => size > 0.05 * answer.peak);
  const named = large.map(([name, size]): [string, string] => [
    resolved(partColour(name)),
    `${partName(name)} ${bytes(size)}`,
  ]);
  card.legend(named, left, y + high + 62, 17);
}

export function cardPicture(answer: Answer, title: string): Promise<Blob> {
  const card = new Card();
  card.brand();
  const below = card.words(title, margin, 122, 40, answer.fits ? colour('good') : colour('bad'), 700, 2);
  hull(card, answer, Math.max(below + 32, 216));
  answer.big.forEach((big, i) => {
    const x = margin + i * 368;
    card.words(big.label, x, 442, 20, colour('soft'), 400, 1, 350);
    card.words(big.value, x, 490, 44, colour('ink'), 700, 1, 350);
    card.words(big.unit, x, 520, 20, colour('ink'), 400, 1, 350);
    card.words(big.off, x, 546, 15, colour('soft'), 400, 1, 360);
  });
  card.words(answer.assumed.join(' · '), margin, 596, 18, colour('soft'));
  return card.file();
}
