// Pinned states, as rows on one common scale; the best of each column is bold.
import { answerOf, type Answer, type Compared, speedText } from './base/answer';
import { askPlan } from './base/api';
import { button, fill, h, message, scroller } from './base/dom';
import { fitRequest, placeRequest } from './base/job';
import type { Question, Questions } from './base/question';
import { fromLink, mostPins, type State, toLink } from './base/state';
import { bytes, count, dollars, seconds } from './base/units';
import { fileName } from './base/words';
import { partColour } from './draw/palette';

interface Column {
  name: string;
  value: (compared: Compared) => number | null;
  larger: boolean; // is better
  show: (answer: Answer) => string;
}

const columns: Column[] = [
  {
    name: 'At most',
    value: ({ most }) => most,
    larger: true,
    show: ({ compared: { most, speedUnit } }) => `${count(most)} ${carried(speedUnit)}`,
  },
  { name: 'Speed', value: ({ speed }) => speed, larger: true, show: ({ compared }) => speedText(compared) },
  {
    name: 'Time',
    value: ({ time }) => time,
    larger: false,
    show: ({ kind, compared: { time } }) =>
      time === null ? '–' : `${seconds(time)}${kind === 'serving' ? ' a token' : ''}`,
  },
  {
    name: 'Cost',
    value: ({ cost }) => cost,
    larger: false,
    show: ({ kind, compared: { cost } }) =>
      cost === null ? 'no price' : `${dollars(cost)}${kind === 'serving' ? ' a million' : ''}`,
  },
];

// What a batch is made of, by the unit of its speed.
const carried = (speedUnit: string): string => (speedUnit === 'tokens/s' ? 'sequences' : speedUnit.replace(/\/s$/, ''));

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
    const heads = ['Pinned', 'Memory', ...columns.map(({ name }) => name), ''];
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

  // The best of those that are alike is bold: images and tokens, a job and a million tokens have no common scale.
  private cell({ value, larger, show }: Column, answer: Answer): HTMLElement {
    const { kind, compared } = answer;
    const text = show(answer);
    const alike = this.pins.flatMap(({ answer: other }) =>
      other?.fits && other.kind === kind && other.compared.speedUnit === compared.speedUnit
        ? [value(other.compared)]
        : [],
    );
    const values = alike.filter((each): each is number => each !== null);
    const best = larger ? Math.max(...values) : Math.min(...values);
    const isBest = answer.fits && values.length > 1 && value(compared) === best;
    return h('td', {}, isBest ? h('b', {}, text) : text);
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
          `${bytes(answer.peak)}, line at ${bytes(answer.line)}${answer.fits ? '' : ': does not fit'}`,
        ),
      ),
      ...columns.map((column) => this.cell(column, answer)),
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
