// What a training needs beyond the plan's own job: data, rate, size of the pictures. Where the server may start none,
// the fields still shape the command.
import type { FitRequest, TrainingSet, TrainRequest } from '../base/api';
import { CheckedField } from '../base/checked_field';
import { field, h, options } from '../base/dom';
import { command } from '../base/job';
import type { Question } from '../base/question';
import { chosen, typed } from '../base/state';
import { wrongNumber } from '../base/units';

// Where the server says nothing of sets: those that the program obtains by itself.
const usual = {
  pictures: { name: 'cifar10', classes: 10, summary: '' },
  texts: { name: 'debian-sections', classes: 2, summary: '' },
};

const isSize = (text: string): boolean => /^\d+(x\d+)*$/.test(text);
const wrongSize = (text: string): string => (text === '' || isSize(text) ? '' : 'Whole numbers with an x between them');
const wrongRate = (text: string): string => (text === '' ? '' : wrongNumber(text, 0, 1000, false));

export class TrainForm {
  readonly element: HTMLElement;
  private readonly data = h('select', {});
  private readonly rate = h('input', { type: 'number', step: 'any', placeholder: 'the usual one' });
  private readonly size = h('input', { type: 'text', placeholder: 'the network’s own' });
  private readonly about = h('p', { class: 'note' });
  private question: Question | null = null;
  private sets: TrainingSet[] = [];

  constructor(changed: () => void) {
    this.data.addEventListener('change', changed);
    const rate = new CheckedField('Learning rate', this.rate, wrongRate, changed);
    const size = new CheckedField('Input size, like 3x32x32', this.size, wrongSize, changed);
    this.element = h(
      'div',
      {},
      h('div', { class: 'train-fields' }, field('Data', this.data), rate.element, size.element),
      this.about,
    );
  }

  show(question: Question, sets: TrainingSet[] | undefined): void {
    this.question = question;
    const first = question.tokens > 0 ? usual.texts : usual.pictures;
    this.sets = sets ?? [first];
    const wanted = [this.data.value, first.name, this.sets[0]?.name].find((name) =>
      this.sets.some((set) => set.name === name),
    );
    if (this.data.options.length !== this.sets.length || this.data.value !== wanted)
      options(
        this.data,
        this.sets.map(({ name }) => [name, name]),
        wanted ?? '',
      );
    const summary = this.set?.summary ?? '';
    this.about.textContent = summary;
    this.about.hidden = summary === '';
  }

  private get set(): TrainingSet | undefined {
    return this.sets.find((set) => set.name === this.data.value);
  }

  private get sizes(): Pick<FitRequest, 'classes' | 'input'> {
    const classes = this.set?.classes ?? 0;
    const size = this.size.value.trim();
    return { classes: classes > 0 ? classes : undefined, input: isSize(size) ? size : undefined };
  }

  // What the server is asked; it knows the classes of its sets.
  request(): TrainRequest {
    const { state } = this.question!;
    return {
      model: state.model,
      data: this.data.value,
      input: this.sizes.input,
      batch: state.batch,
      optimizer: chosen(state.optimizer),
      epochs: typed(state.epochs),
      lr: wrongRate(this.rate.value) === '' ? typed(this.rate.value) : undefined,
      micro_batches: typed(state.microBatches),
    };
  }

  command(): string {
    const { model, data, ...rest } = this.request();
    return command('train', { model, data, classes: this.sizes.classes, ...rest });
  }

  // The very step that will run.
  planned(): FitRequest {
    const { state } = this.question!;
    return {
      model: state.model,
      ...this.sizes,
      device: 'this',
      framework: 'plimsoll',
      batch: state.batch,
      optimizer: chosen(state.optimizer),
      micro_batches: typed(state.microBatches),
    };
  }
}
