// To take along: the link, the command, the report, a picture.
import type { Answer } from '../base/answer';
import { headline } from '../base/answer';
import { askReport } from '../base/api';
import { button, h, message } from '../base/dom';
import { commandOf, reportRequest } from '../base/job';
import type { Question } from '../base/question';
import { cardPicture } from './card_picture';
import { CopyButton } from './copy_button';
import { fileSafe, save } from './save';

export class ShareBar {
  readonly element: HTMLElement;
  private readonly command = new CopyButton('Copy command');
  private readonly link = new CopyButton('Copy link', 'chip copy');
  private readonly report = button('Save report', () => void this.saveReport(), { class: 'chip' });
  private readonly picture = button('Save picture', () => void this.savePicture(), { class: 'chip' });
  private readonly said = h('span', { class: 'said', role: 'status' });
  private question: Question | null = null;
  private answer: Answer | null = null;
  private tab = 'fit';

  // `train`: the command of the Train tab; '' where it has none. `drawn`: a picture of what the tab that is looked at
  // shows; null where it draws nothing.
  constructor(
    link: () => string,
    pin: () => void,
    private readonly train: () => string,
    private readonly drawn: (answer: Answer) => Promise<Blob> | null,
  ) {
    this.link.set(link);
    const pinning = button('Pin to compare', pin, { class: 'chip' });
    this.element = h(
      'div',
      { class: 'chips share', role: 'group', 'aria-label': 'Take it along' },
      pinning,
      this.command.element,
      this.link.element,
      this.report,
      this.picture,
      this.said,
    );
  }

  show(question: Question, answer: Answer | null): void {
    this.question = question;
    this.answer = answer;
    this.tell();
    this.picture.disabled = answer === null;
  }

  // The command is that of what is looked at.
  look(tab: string): void {
    this.tab = tab;
    this.tell();
  }

  private tell(): void {
    if (!this.question) return;
    const { state, kind, text } = this.question;
    const line = commandOf(this.tab, state, kind, text);
    this.command.set(this.tab === 'train' ? () => this.train() || line : line);
  }

  private async saveReport(): Promise<void> {
    if (!this.question) return;
    const { state, kind, text } = this.question;
    this.report.disabled = true;
    this.said.textContent = 'The report is written …';
    try {
      const html = await askReport(reportRequest(state, kind, text), state.model);
      save(`plimsoll-${fileSafe(`${state.model}-${state.device}`)}.html`, new Blob([html], { type: 'text/html' }));
      this.said.textContent = 'The report is saved.';
    } catch (error) {
      this.said.textContent = message(error);
    }
    this.report.disabled = false;
  }

  private async savePicture(): Promise<void> {
    if (!this.answer || !this.question) return;
    const [title, first] = [headline(this.answer), this.tab === 'fit'];
    const drawn = first ? null : this.drawn(this.answer);
    const about = drawn ? `${this.tab}-${title}` : title;
    save(`plimsoll-${fileSafe(about)}.png`, await (drawn ?? cardPicture(this.answer, `${this.answer.task} ${title}`)));
    this.said.textContent = drawn || first ? 'The picture is saved.' : 'This tab draws nothing: the answer is saved.';
  }
}
