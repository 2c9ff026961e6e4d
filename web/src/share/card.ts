// A picture to pass on, 1200 × 630 pixels, in the colours of the theme: boxes, words, other drawings.
import { colour } from '../base/theme';
import { drawSvg, number } from './svg_on_canvas';

export const [width, height, margin] = [1200, 630, 56];
const font = (size: number, weight = 400): string => `${weight} ${size}px system-ui, 'DejaVu Sans', sans-serif`;

export class Card {
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

  // Whose picture it is, and what it answers.
  brand(): void {
    this.words('Plimsoll', margin, 62, 26, colour('accent'), 700);
    this.right('Will it fit, how fast, what will it cost?', width - margin, 62, 20, colour('soft'));
  }

  right(text: string, x: number, y: number, size: number, fill: string): void {
    this.at.textAlign = 'right';
    this.words(text, x, y, size, fill);
    this.at.textAlign = 'left';
  }

  drawing(canvas: HTMLCanvasElement, x: number, y: number, wide: number, high: number): void {
    const scale = Math.min(wide / canvas.width, high / canvas.height);
    this.at.drawImage(canvas, x, y, canvas.width * scale, canvas.height * scale);
  }

  // As large as there is room for, in the middle of its width.
  svg(drawn: SVGSVGElement, x: number, y: number, wide: number, high: number): void {
    const [has, tall] = [number(drawn, 'width'), number(drawn, 'height')];
    const scale = Math.min(wide / has, high / tall);
    drawSvg(this.at, drawn, x + (wide - has * scale) / 2, y, scale);
  }

  // What colours mean, in rows; where the rows end.
  legend(entries: [colour: string, name: string][], x: number, y: number, size: number): number {
    if (entries.length === 0) return y;
    this.at.font = font(size);
    let [left, row] = [x, y];
    for (const [fill, name] of entries) {
      const wide = 1.4 * size + this.at.measureText(name).width + 22;
      if (left + wide > width - margin && left > x) [left, row] = [x, row + 1.5 * size];
      this.box(left, row - 0.8 * size, 0.9 * size, 0.9 * size, fill);
      this.words(name, left + 1.4 * size, row, size, colour('soft'));
      left += wide;
    }
    return row + size;
  }

  file(): Promise<Blob> {
    return new Promise((done, fail) =>
      this.canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('No picture can be made.'))), 'image/png'),
    );
  }
}
