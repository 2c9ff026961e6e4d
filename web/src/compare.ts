// Pinned states, as rows on one common scale; the best of each column is bold.
import { answerOf, type Answer, speedText } from './base/answer';
import { askPlan } from './base/api';
import { button, fill, h, message, scroller } from './base/dom';
import { fitRequest, placeRequest } from './base/job';
import type { Question, Questions } from './base/question';
import { fromLink, mostPins, type State, toLink } from './base/state';
import { bytes, count, dollars, seconds } from './base/units';
import { fileName } from './base/words';
import { partColour } from './draw/palette';

interface Pin {
  link: string;
  question: Question;
  answer: Answer | null;
  wrong: string;
}

export class Compare {
  readonly element = h('section', { class: 'panel compare', 'aria-label': 'Compare' });
  private pins: Pin[] = [];

  constructor(
    private readonly state: State,
    private readonly questions: Questions,
    private readonly open: (link: string) => void,
    private readonly changed: () => void,
  ) {
    for (const link of this.state.pins) this.add(link);
    this.show();
  }

  pin(now: State): void {
    const link = toLink(now, true);
    if (this.state.pins.includes(link) || this.state.pins.length >= mostPins) return;
    this.state.pins.push(link);
    this.add(link);
    this.show();
    this.changed();
  }

  private add(link: string): void {
    const pin: Pin = { link, question: this.questions.of(fromLink(link)), answer: null, wrong: '' };
    this.pins.push(pin);
    void this.ask(pin);
  }

  private async ask(pin: Pin): Promise<void> {
    const { state, kind, text } = pin.question;
    try {
      const answers = await askPlan({ ...fitRequest(state, kind, text), brief: true }, placeRequest(state, kind, text));
      pin.answer = answerOf(pin.question, answers);
    } catch (error) {
      pin.wrong = message(error);
    }
    this.show();
  }

  private remove(pin: Pin): void {
    this.pins = this.pins.filter((each) => each !== pin);
    this.state.pins = this.pins.map((each) => each.link);
    this.show();
    this.changed();
  }

  private show(): void {
    this.element.hidden = this.pins.length === 0;
    const whole = Math.max(1, ...this.pins.map(({ answer }) => (answer ? Math.max(answer.memory, answer.peak) : 0)));
    const heads = ['Pinned', 'Memory', 'Carries', 'Speed', 'Time', 'Cost', ''];
    const head = h(
      'tr',
      {},
      ...heads.map((name) =>
        h('th', { scope: 'col' }, name === '' ? h('span', { class: 'for-ears' }, 'Actions') : name),
      ),
    );
    const rows = this.pins.map((pin) => this.row(pin, whole));
    fill(
      this.element,
      h('h2', {}, 'Compare'),
      scroller(
        'Pinned answers',
        h(
          'table',
          {},
          h('caption', { class: 'for-ears' }, 'Pinned answers on one scale'),
          h('thead', {}, head),
          h('tbody', {}, ...rows),
        ),
      ),
    );
  }

  private best(pick: (answer: Answer) => number | null, largest: boolean): number | null {
    const values = this.pins
      .flatMap(({ answer }) => (answer?.fits ? [pick(answer)] : []))
      .filter((value): value is number => value !== null);
    if (values.length < 2) return null;
    return largest ? Math.max(...values) : Math.min(...values);
  }

  private row(pin: Pin, whole: number): HTMLElement {
    const { answer, question } = pin;
    const actions = h(
      'td',
      {},
      button('Open', () => this.open(pin.link), { class: 'link', 'aria-label': `Open ${nameOf(question)}` }),
      ' ',
      button('Remove', () => this.remove(pin), { class: 'link', 'aria-label': `Remove ${nameOf(question)}` }),
    );
    const name = h(
      'th',
      { scope: 'row' },
      nameOf(question),
      h('span', { class: 'note' }, settingsOf(question, answer)),
    );
    if (!answer)
      return h(
        'tr',
        {},
        name,
        h('td', { colspan: '5', class: pin.wrong ? 'no' : '' }, pin.wrong || 'asked …'),
        actions,
      );
    const cell = (text: string, value: number | null, best: number | null): HTMLElement =>
      h('td', {}, value !== null && value === best ? h('b', {}, text) : text);
    const { compared } = answer;
    const fitsOnly = answer.fits ? '' : 'past-line';
    return h(
      'tr',
      { class: fitsOnly },
      name,
      h(
        'td',
        { class: 'bar-cell' },
        miniBar(answer, whole),
        h(
          'span',
          { class: 'note' },
          `${bytes(answer.peak)} of ${bytes(answer.line)}${answer.fits ? '' : ', does not fit'}`,
        ),
      ),
      cell(
        count(compared.most),
        compared.most,
        this.best((each) => each.compared.most, true),
      ),
      cell(
        speedText(compared),
        compared.speed,
        this.best((each) => each.compared.speed, true),
      ),
      cell(
        compared.time === null ? '–' : seconds(compared.time),
        compared.time,
        this.best((each) => each.compared.time, false),
      ),
      cell(
        compared.cost === null ? 'no price' : `${dollars(compared.cost)}${compared.costUnit === 'USD' ? '' : ' / M'}`,
        compared.cost,
        this.best((each) => each.compared.cost, false),
      ),
      actions,
    );
  }
}

const nameOf = ({ state }: Question): string =>
  `${fileName(state.model)} on ${state.device === 'this' ? 'this machine' : state.device}`;

function settingsOf({ state, kind }: Question, answer: Answer | null): string {
  if (answer) return answer.assumed.join(' · ');
  return kind === 'serving' ? `${state.concurrency} sequences` : `batch ${state.batch}`;
}

function miniBar(answer: Answer, whole: number): HTMLElement {
  const share = (value: number): string => `${(100 * value) / whole}%`;
  const bar = h('div', {
    class: 'mini-bar',
    role: 'img',
    'aria-label': `${bytes(answer.peak)} of ${bytes(answer.memory)}`,
  });
  const hold = h('div', { class: 'mini-hold' });
  hold.style.width = share(answer.memory);
  bar.append(hold);
  let from = 0;
  for (const [name, size] of answer.parts) {
    const part = h('div', { class: 'mini-part' });
    part.style.left = share(from);
    part.style.width = share(size);
    part.style.background = partColour(name);
    bar.append(part);
    from += size;
  }
  const line = h('div', { class: 'mini-line' });
  line.style.left = share(answer.line);
  bar.append(line);
  return bar;
}
