// The page: it asks, shows and remembers in its link. It computes nothing itself.
import { choices as askChoices, openSession, type Choices, type DroppedNetwork } from './api';
import { Card } from './card';
import { Controls } from './controls';
import { fill, h } from './dom';
import { Drop } from './drop';
import { Forecast } from './forecast';
import { Sizes } from './sizes';
import { fromLink, mostPairs, type Pair, toLink } from './state';
import './style.css';
import { isDark, onTheme, toggleTheme } from './theme';
import { Trainings } from './trainings';

const restMilliseconds = 200;

class Page {
  private readonly state = fromLink(location.hash);
  private readonly uploads = new Map<string, string>();
  private readonly cards: Card[] = [];
  private readonly row = h('div', { class: 'cards' });
  private readonly add = h('button', { type: 'button' }, 'Compare with another');
  private readonly controls: Controls;
  private readonly sizes: Sizes;
  private readonly forecast: Forecast | null;
  private readonly trainings: Trainings;
  private readonly plan: HTMLElement;
  private kept = 0;

  constructor(private readonly choices: Choices) {
    this.controls = new Controls(this.state, choices, () => this.changed());
    this.forecast = choices.verbs.includes('scale') ? new Forecast(this.state, choices, () => this.changed()) : null;
    this.trainings = new Trainings(this.state, () => this.keep());
    this.sizes = new Sizes(this.state, () => this.changed());
    const drop = new Drop((file, network) => this.dropped(file, network));
    this.add.addEventListener('click', () => this.addCard({ ...this.last() }, true));
    this.plan = h(
      'div',
      { class: 'plan' },
      this.controls.element,
      h('div', { class: 'actions' }, this.add, drop.element),
      this.sizes.element,
      this.row,
      this.forecast?.element ?? null,
    );
    for (const pair of this.state.pairs.splice(0)) this.addCard(pair, false);
    fill(document.querySelector('#main')!, this.plan, this.trainings.element);
    this.head();
    this.show(this.state.tab);
    this.changed();
  }

  private last(): Pair {
    return this.state.pairs[this.state.pairs.length - 1] ?? { model: 'resnet50', device: 'nvidia-t4' };
  }

  private head(): void {
    const tab = (name: string, text: string): HTMLElement => {
      const button = h('button', { type: 'button', class: 'tab', 'data-tab': name }, text);
      button.addEventListener('click', () => this.show(name));
      return button;
    };
    const copy = h('button', { type: 'button', class: 'copy' }, 'Copy link');
    copy.addEventListener('click', () => {
      const link = location.href.replace(/#.*/, '') + toLink(this.state);
      void navigator.clipboard.writeText(link).then(
        () => (copy.textContent = 'Link copied'),
        () => (copy.textContent = 'The link is in the address bar'),
      );
      window.setTimeout(() => (copy.textContent = 'Copy link'), 2000);
    });
    const theme = h('button', { type: 'button', class: 'theme' });
    const name = (): void => void (theme.textContent = isDark() ? 'Light' : 'Dark');
    theme.addEventListener('click', toggleTheme);
    onTheme(name);
    name();
    fill(
      document.querySelector('#top')!,
      h('h1', {}, 'Plimsoll'),
      h('nav', { 'aria-label': 'Views' }, tab('plan', 'Plan'), tab('trainings', 'Trainings')),
      h('div', { class: 'head-end' }, copy, theme),
    );
  }

  private show(tab: string): void {
    this.state.tab = tab;
    this.plan.hidden = tab !== 'plan';
    this.trainings.element.hidden = tab !== 'trainings';
    this.trainings.show(tab === 'trainings');
    for (const button of document.querySelectorAll<HTMLElement>('[data-tab]'))
      button.setAttribute('aria-current', button.dataset.tab === tab ? 'page' : 'false');
    this.keep();
  }

  private addCard(pair: Pair, focus: boolean): void {
    if (this.cards.length >= mostPairs) return;
    const card = new Card(pair, { ...this.state }, {
      changed: () => this.changed(),
      removed: (gone) => this.removeCard(gone),
      batchWanted: (batch) => this.controls.setBatch(batch),
    });
    this.cards.push(card);
    this.state.pairs.push(pair);
    this.row.append(card.element);
    card.offer(this.choices, this.uploads);
    this.arrange();
    if (!focus) return;
    this.changed(card);
    card.focus();
  }

  private removeCard(card: Card): void {
    const at = this.cards.indexOf(card);
    if (at < 0 || this.cards.length === 1) return;
    this.cards.splice(at, 1);
    this.state.pairs.splice(at, 1);
    card.element.remove();
    this.arrange();
    this.keep();
    this.cards[Math.max(0, at - 1)]?.focus();
  }

  private arrange(): void {
    this.row.dataset.count = `${this.cards.length}`;
    this.add.disabled = this.cards.length >= mostPairs;
  }

  private dropped(file: File, network: DroppedNetwork): void {
    this.uploads.set(network.model, file.name);
    this.cards[this.cards.length - 1]?.select(network.model);
    for (const card of this.cards) card.offer(this.choices, this.uploads);
    this.show('plan');
    this.sizes.ask(network.open_sizes);
    this.changed();
  }

  // Everything is asked anew, or only one card.
  private changed(only?: Card): void {
    this.keep();
    for (const card of only ? [only] : this.cards) card.update({ ...this.state });
    this.forecast?.update({ ...this.state });
  }

  // The link follows when the slider rests: browsers ask for the page's icon again with each.
  private keep(): void {
    window.clearTimeout(this.kept);
    this.kept = window.setTimeout(() => history.replaceState(null, '', toLink(this.state)), restMilliseconds);
  }
}

async function start(): Promise<void> {
  try {
    await openSession();
    new Page(await askChoices());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    fill(document.querySelector('#main')!, h('p', { class: 'verdict no', role: 'alert' }, why));
  }
}

// The link to the content must not take the place of the state in the address.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
});

// A link that is opened while the page is there: the page starts again from it.
addEventListener('hashchange', () => location.reload());
void start();
