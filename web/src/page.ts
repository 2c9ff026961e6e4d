// The page: it asks, shows and remembers in its link. It computes nothing itself.
import { AskBar } from './ask/ask_bar';
import { Drop } from './ask/drop';
import { JobPanel } from './ask/job_panel';
import { Sizes } from './ask/sizes';
import type { Answer } from './base/answer';
import { type Choices, type DroppedNetwork, onServer } from './base/api';
import { fill, h } from './base/dom';
import { type Question, Questions } from './base/question';
import { fromLink, type State, startState, type Tab, toLink } from './base/state';
import { nameFile } from './base/words';
import { Compare } from './compare';
import { header } from './header';
import { changed, Hero } from './hero/hero';
import type { Change } from './hero/changes';
import { Trainings } from './runs/trainings';
import { ShareBar } from './share/share_bar';
import { DevicesTab } from './tabs/devices_tab';
import { FitTab } from './tabs/fit_tab';
import { LayersTab } from './tabs/layers_tab';
import { RooflineTab } from './tabs/roofline_tab';
import { ScaleTab } from './tabs/scale_tab';
import { ServeTab } from './tabs/serve_tab';
import { Tabs } from './tabs/tabs';
import { TrainTab } from './tabs/train_tab';

const restMilliseconds = 200;

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
  private readonly views: { update(question: Question): void }[];
  private readonly plan: HTMLElement;
  private readonly gone = h(
    'p',
    { class: 'gone', role: 'alert', hidden: true },
    'The server does not answer: nothing here is new. Start “plimsoll serve” again and open the address it prints.',
  );
  private readonly past: string[] = []; // states before chips were clicked, as links
  private readonly header: (view: string) => void;
  private kept = 0;

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
    );
    this.compare = new Compare(
      this.state,
      this.questions,
      (link) => this.open(link),
      () => this.keep(),
    );
    this.trainings = new Trainings(this.state, () => this.keep());
    const [fit, devices] = [new FitTab(), new DevicesTab(choices, (device) => this.take({ device }))];
    const layers = new LayersTab((operation) => {
      this.showTab('fit');
      fit.point(operation);
    });
    const [roofline, serve] = [new RooflineTab(), new ServeTab()];
    const scale = new ScaleTab(this.state, choices, () => this.changed());
    const train = new TrainTab(() => this.look('trainings'));
    this.views = [fit, layers, roofline, devices, scale, serve, train];
    this.tabs = new Tabs(
      [
        { name: 'fit', text: 'Fit', element: fit.element, look: (on) => fit.look(on) },
        { name: 'layers', text: 'Layers', element: layers.element, look: (on) => layers.look(on) },
        { name: 'roofline', text: 'Roofline', element: roofline.element, look: (on) => roofline.look(on) },
        { name: 'devices', text: 'Devices', element: devices.element, look: (on) => devices.look(on) },
        { name: 'scale', text: 'Scale', element: scale.element, look: (on) => scale.look(on) },
        { name: 'serve', text: 'Serve', element: serve.element, look: (on) => serve.look(on) },
        { name: 'train', text: 'Train', element: train.element, look: (on) => train.look(on) },
      ],
      (tab) => this.showTab(tab),
    );
    this.plan = h(
      'div',
      { class: 'plan' },
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
    this.keep();
  }

  private showTab(tab: Tab): void {
    this.state.tab = tab;
    this.tabs.show(tab);
    this.share.look(tab);
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
    if (value === 0) return this.hero.refuse('The batch is no whole number from 1 to 1,000,000,000.');
    const { kind } = this.questions.of(this.state);
    this.state[kind === 'serving' ? 'concurrency' : 'batch'] = value;
    this.changed();
  }

  private takeChange(change: Change): void {
    this.past.push(toLink(this.state));
    Object.assign(this.state, changed(this.state, change));
    if (change.set?.tab) this.showTab(this.state.tab as Tab);
    this.changed();
  }

  private back(): void {
    const link = this.past.pop();
    if (link !== undefined) this.restore(link);
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
  }

  // Everything is asked anew, unless what is typed cannot be asked.
  private changed(): void {
    this.keep();
    const question = this.questions.of(this.state);
    this.ask.show(this.state, question.text);
    this.job.show(question.kind, question.text);
    const wrong = this.job.mistake;
    if (wrong !== '') return this.hero.refuse(wrong);
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
