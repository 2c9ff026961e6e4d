// What a tab shows, as a picture to pass on: its title, the verdict, its drawing, and what was assumed.
import { type Answer, headline } from '../base/answer';
import { colour } from '../base/theme';
import { Card, height, margin, width } from './card';

export interface TabPicture {
  title: string;
  said: string; // the tab's own verdict; '' where it has none
  legend: [colour: string, name: string][];
  copy: (width: number) => HTMLElement | null; // the drawing, once more
}

const drawnWidth = 980; // pixels: as wide for its height as the card has room

export async function tabPicture(picture: TabPicture, answer: Answer): Promise<Blob> {
  const card = new Card();
  card.brand();
  let y = card.words(picture.title, margin, 108, 32, colour('ink'), 700, 2);
  const verdict = picture.said || headline(answer);
  y = card.words(verdict, margin, y + 2, 22, answer.fits ? colour('good') : colour('bad'), 600);
  y = card.legend(picture.legend, margin, y, 17);
  const place = picture.copy(drawnWidth);
  const svg = place?.querySelector('svg');
  if (svg) card.svg(svg, margin, y, width - 2 * margin, height - y - 52);
  place?.remove();
  card.words(answer.assumed.join(' · '), margin, height - 22, 17, colour('soft'));
  return card.file();
}
