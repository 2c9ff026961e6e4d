// To take a training along: the command that writes its report, the report itself, a picture of its curves.
import { askRunReport, type Run } from '../base/api';
import { button, h, message } from '../base/dom';
import { shellWord } from '../base/job';
import { colour } from '../base/theme';
import { Card, height, margin } from '../share/card';
import { CopyButton } from '../share/copy_button';
import { curvesOn } from '../share/curves_on_card';
import { fileSafe, save } from '../share/save';

export class RunShare {
  readonly element: HTMLElement;
  private readonly command = new CopyButton('Copy command');
  private readonly said = h('span', { class: 'said', role: 'status' });
  private readonly report = button('Save report', () => void this.saveReport(), { class: 'chip' });
  private run: Run | null = null;
  private words = '';

  // `drawings`: the curves, as they are shown.
  constructor(private readonly drawings: () => HTMLCanvasElement[]) {
    const picture = button('Save picture', () => void this.savePicture(), { class: 'chip' });
    this.element = h(
      'div',
      { class: 'chips share', role: 'group', 'aria-label': 'Take the training along', hidden: true },
      this.command.element,
      this.report,
      picture,
      this.said,
    );
  }

  // `words`: how far it is.
  show(run: Run | null, folder: string, words: string): void {
    if (run?.id !== this.run?.id) this.said.textContent = '';
    this.run = run;
    this.words = words;
    this.element.hidden = run === null;
    if (run) this.command.set(`plimsoll report ${shellWord(`${folder}/${run.name}`)}`);
    this.report.disabled = run?.running === true;
    this.report.title = run?.running === true ? 'It is written when the training ends.' : '';
  }

  private async saveReport(): Promise<void> {
    const run = this.run;
    if (!run) return;
    try {
      const html = await askRunReport(run.id);
      save(`plimsoll-${fileSafe(run.name)}.html`, new Blob([html], { type: 'text/html' }));
      this.said.textContent = 'The report is saved.';
    } catch (error) {
      this.said.textContent = message(error);
    }
  }

  private async savePicture(): Promise<void> {
    const run = this.run;
    if (!run) return;
    const card = new Card();
    card.brand();
    const below = card.words(`${run.name}: ${this.words}`, margin, 124, 36, colour('ink'), 700, 2);
    const about = [run.model, run.data?.name, run.batch === undefined ? '' : `batch ${run.batch}`];
    const top = card.words(about.filter((word) => word).join(' · '), margin, below, 22, colour('soft'));
    curvesOn(card, this.drawings(), top, height - 30);
    save(`plimsoll-${fileSafe(run.name)}.png`, await card.file());
  }
}
