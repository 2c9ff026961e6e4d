// Train: the command that starts such a training with our engine, ready to copy, and the trainings that run now.
import { button, fill, h } from '../base/dom';
import { command } from '../base/job';
import type { Question } from '../base/question';
import { chosen, typed, uploaded } from '../base/state';
import { CopyButton } from '../share/copy_button';

export class TrainTab {
  readonly element = h('div', { class: 'tab-train' });
  private visible = false;
  private wanted: Question | null = null;

  constructor(private readonly showTrainings: () => void) {}

  look(visible: boolean): void {
    this.visible = visible;
    this.draw();
  }

  update(question: Question): void {
    this.wanted = question;
    this.draw();
  }

  private draw(): void {
    if (!this.visible || !this.wanted) return;
    const { state, text } = this.wanted;
    const trainings = button('Look at the trainings', () => this.showTrainings(), { class: 'chip' });
    if (text || state.model.startsWith(uploaded))
      return fill(
        this.element,
        h(
          'p',
          { class: 'nothing' },
          'The program itself trains networks of the zoo, on processors. ' +
            'For this one the plan above says what PyTorch needs on the device.',
        ),
        trainings,
      );
    const line = command('train', {
      model: state.model,
      data: 'cifar10',
      batch: state.batch,
      optimizer: chosen(state.optimizer),
      epochs: typed(state.epochs),
      recompute: typed(state.recompute),
      micro_batches: typed(state.microBatches),
    });
    const [copy, resume] = [new CopyButton('Copy command'), new CopyButton('Copy command')];
    copy.set(line);
    const again = 'plimsoll train --resume --run-dir runs/NAME';
    resume.set(again);
    fill(
      this.element,
      h('h3', {}, 'Start it on this machine'),
      h('div', { class: 'command' }, h('code', {}, line), copy.element),
      h(
        'p',
        {},
        'The set is one of “plimsoll data”, or a folder of your own. The training appears under “Trainings”, ' +
          'with its curves beside the plan, and can be stopped there.',
      ),
      h('h3', {}, 'Go on with one that was stopped'),
      h('div', { class: 'command' }, h('code', {}, again), resume.element),
      trainings,
    );
  }
}
