// The answer as a picture to pass on: verdict, load, three numbers and what was assumed, 1200 × 630 pixels.
import type { Answer } from '../base/answer';
import { colour } from '../base/theme';
import { bytes, percent } from '../base/units';
import { partColour } from '../draw/palette';

const [width, height, margin] = [1200, 630, 56];
const font = (size: number, weight = 400): string => `${weight} ${size}px system-ui, 'DejaVu Sans', sans-serif`;
const resolved = (variable: string): string => colour(variable.replace(/^var\(--|\)$/g, ''));

class Card {
  readonly canvas = document.createElement('canvas');
  private readonly at: CanvasRenderingContext2D;

  constructor() {
    this.canvas.width = width;
    this.canvas.height = height;
    this.at = this.canvas.getContext('2d')!;
    this.box(0, 0, width, height, colour('paper'));
  }

  box(x: number, y: number, wide: number, high: number, fill: string): void {
    this.at.fillStyle = fill;
    this.at.fillRect(x, y, wide, high);
  }

  // Lines that do not fit are folded; the last one that fits ends with dots.
  words(
    text: string,
    x: number,
    y: number,
    size: number,
    fill: string,
    weight = 400,
    lines = 1,
    wide = width - 2 * margin,
  ): number {
    this.at.font = font(size, weight);
    this.at.fillStyle = fill;
    let [line, row] = ['', 0];
    const all = text.split(' ');
    for (let i = 0; i < all.length; i += 1) {
      const longer = line === '' ? all[i]! : `${line} ${all[i]}`;
      if (this.at.measureText(longer).width <= wide) line = longer;
      else if (row + 1 >= lines) {
        line = `${line} …`;
        break;
      } else {
        this.at.fillText(line, x, y + row * size * 1.3);
        [line, row] = [all[i]!, row + 1];
      }
    }
    this.at.fillText(line, x, y + row * size * 1.3);
    return y + (row + 1) * size * 1.3;
  }

  hull(answer: Answer, y: number): void {
    const [left, wide, high] = [margin, width - 2 * margin, 84];
    const whole = Math.max(answer.memory, answer.peak) * 1.02;
    const x = (value: number): number => left + (value / whole) * wide;
    this.box(left, y, x(answer.memory) - left, high, colour('ground'));
    let from = 0;
    for (const [name, size] of answer.parts) {
      this.box(x(from), y, x(from + size) - x(from), high, resolved(partColour(name)));
      from += size;
    }
    this.box(x(answer.line) - 2, y - 34, 4, high + 42, colour('bad'));
    this.box(x(answer.memory) - 1, y - 10, 2, high + 18, colour('ink'));
    this.at.textAlign = 'right';
    this.words(
      `load line ${percent(answer.loadLine)}, ${bytes(answer.line)}`,
      x(answer.line) - 10,
      y - 16,
      20,
      colour('bad'),
    );
    this.words(`memory ${bytes(answer.memory)}`, x(answer.memory), y + high + 30, 20, colour('soft'));
    this.at.textAlign = 'left';
    this.words(`peak ${bytes(answer.peak)}`, left, y + high + 30, 20, colour('ink'));
  }
}

export function cardPicture(answer: Answer, title: string): Promise<Blob> {
  const card = new Card();
  card.words('Plimsoll', margin, 70, 26, colour('accent'), 700);
  const below = card.words(title, margin, 128, 42, answer.fits ? colour('good') : colour('bad'), 700, 2);
  card.hull(answer, Math.max(below + 40, 232));
  answer.big.forEach((big, i) => {
    const x = margin + i * 368;
    card.words(big.label, x, 442, 20, colour('soft'), 400, 1, 350);
    card.words(big.value, x, 490, 44, colour('ink'), 700, 1, 350);
    card.words(big.unit, x, 520, 20, colour('ink'), 400, 1, 350);
    card.words(big.off, x, 546, 16, colour('soft'), 400, 1, 350);
  });
  card.words(answer.assumed.join(' · '), margin, 596, 18, colour('soft'));
  return new Promise((done, fail) =>
    card.canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('No picture can be made.'))), 'image/png'),
  );
}
