// The page: it asks, shows and remembers in its link. It computes nothing itself.
import { AskBar } from './ask/ask_bar';
import { Drop } from './ask/drop';
import { JobPanel } from './ask/job_panel';
import { Sizes } from './ask/sizes';
import { type Answer, headline } from './base/answer';
import { type Choices, type DroppedNetwork, onServer } from './base/api';
import { fill, h } from './base/dom';
import { type Question, Questions } from './base/question';
import { fromLink, type State, startState, type Tab, toLink } from './base/state';
import { nameFile, nameOf } from './base/words';
import { Compare } from './compare';
import { header } from './header';
import { changed, Hero } from './hero/hero';
import type { Change } from './hero/changes';
import { Trainings } from './runs/trainings';
import { ShareBar } from './share/share_bar';
import { tabPicture } from './share/tab_picture';
import { DevicesTab } from './tabs/devices_tab';
import { FitTab } from './tabs/fit_tab';
import { LayersTab } from './tabs/layers_tab';
import { RooflineTab } from './tabs/roofline_tab';
import { ScaleTab } from './tabs/scale_tab';
import { ServeTab } from './tabs/serve_tab';
import { Tabs } from './tabs/tabs';
import { TrainTab } from './tabs/train_tab';

const restMilliseconds = 200;
const intro =
  'Choose a neural network and a device. Plimsoll predicts memory, speed and cost before you rent or buy anything.';

export class Page {
  private readonly state: State;
  private readonly questions: Questions;
  private readonly files = new Map<string, string>();
  private readonly ask: AskBar;
  private readonly hero: Hero;
  private readonly job: JobPanel;
  private readonly sizes: Sizes;
  private readonly share: ShareBar;
  private readonly compare: Compare;
  private readonly trainings: Trainings;
  private readonly tabs: Tabs;
  private readonly views: { update(question: Question): void; refuse(why: string): void }[];
  private readonly plan: HTMLElement;
  private readonly gone = h(
    'p',
    { class: 'gone', role: 'alert', hidden: true },
    'The server does not answer: nothing here is new. Start “plimsoll serve” again and open the address it prints.',
  );
  private readonly past: { link: string; tab: string }[] = []; // before chips were clicked; a tab that a chip left
  private readonly header: (view: string) => void;
  private kept = 0;
  private headline = ''; // of the answer; '' where there is none

  constructor(choices: Choices) {
    this.state = fromLink(location.hash);
    this.questions = new Questions(choices);
    this.header = header(
      (view) => this.look(view),
      () => this.link(),
    );
    const drop = new Drop((file, network) => this.dropped(file, network));
    this.ask = new AskBar(choices, this.files, drop, (state) => this.take(state));
    this.hero = new Hero({
      slid: (value) => this.slid(value),
      take: (change) => this.takeChange(change),
      back: () => this.back(),
      answered: (question, answer) => this.answered(question, answer),
      complain: (field, text) => this.complain(field, text),
    });
    this.sizes = new Sizes(this.state, () => this.changed());
    this.job = new JobPanel(this.state, choices, () => this.changed());
    this.share = new ShareBar(
      () => this.link(),
      () => this.compare.pin(this.state),
      () => train.line(),
      (answer) => {
        if (this.state.tab === 'train') return train.picture();
        const drawn = tabViews.find(({ name }) => name === this.state.tab)?.picture();
        return drawn ? tabPicture(drawn, answer) : null;
      },
    );
    this.compare = new Compare(
      this.state,
      this.questions,
      (link) => this.open(link),
      () => this.keep(),
    );
    const sampleOf = (model: string): string => this.questions.sampleOf(model);
    this.trainings = new Trainings(this.state, sampleOf, () => this.keep());
    const [fit, devices] = [new FitTab(), new DevicesTab(choices, (device) => this.take({ device }))];
    const layers = new LayersTab((operation) => {
      this.showTab('fit');
      fit.point(operation);
    });
    const [roofline, serve] = [new RooflineTab(), new ServeTab()];
    const scale = new ScaleTab(this.state, choices, () => this.changed());
    const train = new TrainTab(sampleOf, () => this.look('trainings'));
    const tabViews = [fit, layers, roofline, devices, scale, serve];
    this.views = [...tabViews, train];
    this.tabs = new Tabs([...tabViews, train], (tab) => this.showTab(tab));
    this.plan = h(
      'div',
      { class: 'plan' },
      h('p', { class: 'intro' }, intro),
      this.ask.element,
      this.sizes.element,
      this.hero.element,
      this.job.element,
      this.share.element,
      this.compare.element,
      this.tabs.element,
    );
    fill(document.querySelector('#main')!, this.gone, this.plan, this.trainings.element);
    onServer((gone) => (this.gone.hidden = !gone));
    this.look(this.state.view);
    this.showTab(this.state.tab as Tab);
    this.changed();
  }

  private link(): string {
    return location.href.replace(/#.*/, '') + toLink(this.state);
  }

  private look(view: string): void {
    this.state.view = view;
    this.plan.hidden = view !== 'plan';
    this.trainings.element.hidden = view !== 'trainings';
    this.trainings.look(view === 'trainings');
    this.header(view);
    this.entitle();
    this.keep();
  }

  private showTab(tab: Tab): void {
    this.state.tab = tab;
    this.tabs.show(tab);
    this.share.look(tab);
    this.entitle();
    this.keep();
  }

  // A choice of the reader's: what was done by chips is past.
  private take(state: Partial<State>): void {
    const text = this.questions.isLanguage(state.model ?? this.state.model);
    if (state.model !== undefined && state.model !== this.state.model) this.clearJob(state, text);
    Object.assign(this.state, state);
    if (this.state.mode === 'generate' && !text) this.state.mode = 'train';
    this.past.length = 0;
    this.hero.more.forget();
    this.changed();
  }

  // Another kind of network has another kind of job.
  private clearJob(state: Partial<State>, text: boolean): void {
    if (text === this.questions.isLanguage(this.state.model) && state.device === undefined) return;
    const usual = startState();
    for (const name of [
      'dtype',
      'optimizer',
      'recompute',
      'microBatches',
      'framework',
      'method',
      'checkpointing',
      'logits',
      'attention',
      'shard',
      'offload',
      'workers',
      'sequence',
      'tokens',
      'samples',
      'epochs',
    ] as const)
      this.state[name] = usual[name];
    if (text && state.batch === undefined) this.state.batch = 1;
  }

  private slid(value: number): void {
    const question = this.questions.of(this.state);
    if (value === 0) return this.refuse(question, 'The batch is no whole number from 1 to 1,000,000,000.');
    this.state[question.kind === 'serving' ? 'concurrency' : 'batch'] = value;
    this.changed();
  }

  private refuse(question: Question, why: string): void {
    this.hero.refuse(why);
    for (const view of this.views) view.refuse(why);
    this.answered(question, null);
  }

  private takeChange(change: Change): void {
    this.past.push({ link: toLink(this.state), tab: change.set?.tab ? this.state.tab : '' });
    Object.assign(this.state, changed(this.state, change));
    if (change.set?.tab) this.showTab(this.state.tab as Tab);
    this.changed();
  }

  private back(): void {
    const before = this.past.pop();
    if (!before) return;
    this.restore(before.link);
    if (before.tab !== '') this.showTab(before.tab as Tab);
  }

  private open(link: string): void {
    this.past.length = 0;
    this.hero.more.forget();
    this.restore(link);
    document.querySelector('#main')?.scrollIntoView();
  }

  private restore(link: string): void {
    const { pins, view, tab, run, also } = this.state;
    Object.assign(this.state, fromLink(link), { pins, view, tab, run, also });
    this.changed();
  }

  private dropped(file: File, network: DroppedNetwork): void {
    this.files.set(network.model, file.name);
    nameFile(network.model, file.name);
    if (network.language_model) this.questions.addText(network.model);
    this.ask.offer();
    this.look('plan');
    this.sizes.ask(network.open_sizes);
    this.take({ model: network.model });
  }

  private complain(field: string, text: string): boolean {
    if (field === 'model' || field === 'device') {
      this.ask.complain(text);
      return true;
    }
    return this.job.complain(field, text);
  }

  private answered(question: Question, answer: Answer | null): void {
    this.share.show(question, answer);
    this.headline = answer ? headline(answer) : '';
    this.entitle();
  }

  // The window's title says what is looked at; trainings have their own.
  private entitle(): void {
    if (this.state.view !== 'plan') return;
    const tab = this.state.tab === 'fit' ? '' : nameOf(this.state.tab as Tab);
    document.title = [tab, this.headline, 'Plimsoll'].filter((part) => part !== '').join(' · ');
  }

  // Everything is asked anew, unless what is typed cannot be asked.
  private changed(): void {
    this.keep();
    const question = this.questions.of(this.state);
    this.ask.show(this.state, question.text);
    this.job.show(question.kind, question.text);
    const wrong = this.job.mistake;
    if (wrong !== '') return this.refuse(question, wrong);
    this.hero.update(question);
    this.share.show(question, null);
    for (const view of this.views) view.update(question);
  }

  // The link follows when the slider rests: browsers ask for the page's icon again with each.
  private keep(): void {
    window.clearTimeout(this.kept);
    this.kept = window.setTimeout(() => history.replaceState(null, '', toLink(this.state)), restMilliseconds);
  }
}
