// The Train tab as a picture to pass on: the plan, the command, and the curves of the training that runs.
import { colour } from '../base/theme';
import { Card, height, margin, width } from './card';
import { curvesOn } from './curves_on_card';

export interface TrainPicture {
  title: string;
  plan: [name: string, value: string][];
  command: string;
  live: string; // the training that runs, and how far it is; '' where none does
  curves: HTMLCanvasElement[]; // loss and accuracy
}

const column = (width - 2 * margin) / 5;

export function trainPicture(picture: TrainPicture): Promise<Blob> {
  const card = new Card();
  card.brand();
  const y = card.words(picture.title, margin, 108, 32, colour('ink'), 700, 2);
  picture.plan.forEach(([name, value], i) => {
    const x = margin + i * column;
    card.words(name, x, y + 10, 17, colour('soft'), 400, 1, column - 14);
    card.words(value, x, y + 40, 22, colour('ink'), 700, 2, column - 14);
  });
  let below = card.words(picture.command, margin, y + 110, 18, colour('soft'), 400, 2);
  if (picture.live !== '') below = card.words(picture.live, margin, below + 14, 22, colour('ink'), 600);
  curvesOn(card, picture.curves, below, height - 28);
  return card.file();
}
