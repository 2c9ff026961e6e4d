// Two curves of a training beside each other on a card: loss and accuracy.
import { colour } from '../base/theme';
import { type Card, margin, width } from './card';

export function curvesOn(card: Card, curves: HTMLCanvasElement[], top: number, bottom: number): void {
  const wide = (width - 3 * margin) / 2;
  curves.slice(0, 2).forEach((curve, i) => {
    const x = margin + i * (margin + wide);
    card.words(i === 0 ? 'Loss' : 'Accuracy', x, top + 24, 20, colour('soft'));
    card.drawing(curve, x, top + 40, wide, bottom - top - 40);
  });
}
