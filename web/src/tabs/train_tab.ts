// Train: the plan of such a training with our engine on this machine, the command that starts it, and, where the server
// may, a button that does; beside it the training that runs now, with its curves.
import { type Run, type RunNews, startRun } from '../base/api';
import { button, commandCode, fill, h, message } from '../base/dom';
import type { Question } from '../base/question';
import { uploaded } from '../base/state';
import { plain } from '../base/words';
import { RunCharts } from '../runs/run_charts';
import { progressText, RunHead } from '../runs/run_head';
import { RunLog } from '../runs/run_log';
import { RunSource } from '../runs/run_source';
import { CopyButton } from '../share/copy_button';
import { trainPicture } from '../share/train_picture';
import { TrainForm } from './train_form';
import { TrainPlan } from './train_plan';

const nothingTrains =
  'Nothing trains now. What trains is shown here as it goes on: loss, accuracy, speed and memory, beside the plan.';
const switchOn = 'plimsoll serve --train';

export class TrainTab {
  readonly name = 'train';
  readonly element = h('div', { class: 'tab-train' });
  private readonly source = new RunSource(() => this.show());
  private readonly form = new TrainForm(() => this.draw());
  private readonly plan = new TrainPlan();
  private readonly command = h('code', {});
  private readonly copy = new CopyButton('Copy command');
  private readonly start = button('Start the training', () => void this.begin(), { class: 'primary' });
  private readonly said = h('p', { class: 'said', role: 'status' });
  private readonly off = howToSwitchOn();
  private readonly head = new RunHead();
  private readonly charts = new RunCharts(false);
  private readonly title = h('h2', { class: 'tab-title' });
  private readonly live: HTMLElement;
  private readonly sides: HTMLElement;
  private readonly elsewhere: HTMLElement;
  private visible = false;
  private wanted: Question | null = null;
  private begun = ''; // the run that was started here

  constructor(
    private readonly sampleOf: (model: string) => string,
    showTrainings: () => void,
  ) {
    const trainings = (): HTMLElement => button('Look at the trainings', showTrainings, { class: 'chip' });
    const nothing =
      'Plimsoll itself trains networks of the zoo, on processors. ' +
      'For this one the plan above says what PyTorch needs on the device.';
    this.elsewhere = h('div', {}, h('p', { class: 'nothing' }, nothing), trainings());
    this.live = h('section', { class: 'train-live', 'aria-label': 'The training that runs' });
    const sides = h(
      'div',
      { class: 'train-sides' },
      h(
        'section',
        { class: 'train-plan', 'aria-label': 'The plan' },
        h('h3', {}, 'The plan'),
        this.form.element,
        this.plan.element,
        h('div', { class: 'train-start' }, this.start, trainings()),
        this.said,
        this.off,
        h('h3', {}, 'The same in a terminal'),
        h('div', { class: 'command' }, this.command, this.copy.element),
      ),
      this.live,
    );
    this.sides = h('div', {}, this.title, sides);
    document.addEventListener('visibilitychange', () => this.listen());
  }

  // The command that trains; '' of networks that the program does not train.
  line(): string {
    return this.trains ? this.form.command() : '';
  }

  // The plan, the command and the curves of the training that runs; null where there is no plan yet.
  picture(): Promise<Blob> | null {
    if (!this.trains || this.plan.rows.length === 0) return null;
    const run = this.run();
    const shown = run && this.live.contains(this.charts.element);
    return trainPicture({
      title: this.title.textContent ?? '',
      plan: this.plan.rows,
      command: this.form.command(),
      live: shown ? `${run.name}: ${progressText(run, this.source.log(run.id) ?? new RunLog())}` : '',
      curves: shown ? [...this.charts.element.querySelectorAll('canvas')].slice(0, 2) : [],
    });
  }

  look(visible: boolean): void {
    this.visible = visible;
    this.draw();
    this.listen();
  }

  update(question: Question): void {
    this.wanted = question;
    this.draw();
    this.listen();
  }

  // What is typed cannot be asked.
  refuse(why: string): void {
    this.wanted = null;
    this.source.close();
    fill(this.element, h('p', { class: 'nothing' }, why));
  }

  private get trains(): boolean {
    return this.wanted !== null && !this.wanted.text && !this.wanted.state.model.startsWith(uploaded);
  }

  private listen(): void {
    if (!this.visible || !this.trains || document.hidden) return this.source.close();
    const run = this.run();
    this.source.follow(run ? [run.id] : []);
  }

  // The one that was started here, else one that runs, else the last that the page has started.
  private run(): Run | undefined {
    const { runs, started } = this.source.news;
    const named = (name: string | undefined): Run | undefined => runs.find((run) => run.name === name);
    return named(this.begun) ?? runs.find((run) => run.running) ?? named(started?.run);
  }

  private draw(): void {
    if (!this.visible || !this.wanted) return;
    if (!this.trains) return fill(this.element, this.elsewhere);
    this.title.textContent = `Training ${this.wanted.state.model} with Plimsoll itself, on this machine`;
    this.form.show(this.wanted, this.source.news.sets);
    const line = this.form.command();
    if (this.command.textContent !== line) fill(this.command, ...commandCode(line).childNodes);
    this.copy.set(line);
    this.plan.show(this.wanted, this.form.planned());
    if (this.element.firstChild !== this.sides) fill(this.element, this.sides);
    this.showLive();
  }

  // News have come.
  private show(): void {
    this.draw();
    this.listen();
  }

  private showLive(): void {
    const { folder, sets, runs, started } = this.source.news;
    const may = sets !== undefined;
    const busy = runs.some((run) => run.running) || started?.alive === true;
    this.off.hidden = may || folder === '';
    this.start.hidden = !may;
    this.start.disabled = busy;
    this.start.title = busy ? 'One trains at a time.' : '';
    this.complain(this.source.news);
    const run = this.run();
    if (!run) {
      const words = started?.alive ? 'It begins: the data is read, the plan is made.' : nothingTrains;
      return fill(this.live, h('p', { class: 'nothing', role: 'status' }, words));
    }
    const log = this.source.log(run.id) ?? new RunLog();
    const sample = this.sampleOf(run.model ?? '');
    this.head.show(run, log, sample, folder, may);
    this.charts.show([{ run, log, colour: 'run-0', sample }]);
    if (this.live.firstChild !== this.head.element) fill(this.live, this.head.element, this.charts.element);
  }

  // Why the training that was started here has not trained.
  private complain({ started }: RunNews): void {
    if (this.begun === '' || started?.run !== this.begun || started.alive || started.failed === '') return;
    this.say(plain(started.failed), true);
  }

  private say(words: string, wrong: boolean): void {
    this.said.textContent = words;
    this.said.classList.toggle('no', wrong);
  }

  private async begin(): Promise<void> {
    this.start.disabled = true;
    this.say('', false);
    try {
      this.begun = (await startRun(this.form.request())).run;
      this.head.forget();
    } catch (error) {
      this.say(message(error), true);
    }
    this.show();
  }
}

function howToSwitchOn(): HTMLElement {
  const copy = new CopyButton('Copy command');
  copy.set(switchOn);
  return h(
    'div',
    { class: 'train-off', hidden: true },
    h('p', { class: 'note' }, 'To start trainings from this page as well, start its server with:'),
    h('div', { class: 'command' }, commandCode(switchOn), copy.element),
  );
}
