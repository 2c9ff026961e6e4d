// What holds for all cards: batch, number format, optimizer and the job.
import type { Choices } from './api';
import { field, h, options } from './dom';
import type { State } from './state';
import { count } from './units';

// Batches of the slider: every one up to 8, then four to each doubling.
export const batches: number[] = [1, 2, 3, 4, 5, 6, 7, 8];
for (let size = 8; size < 8192; size *= 2) for (let part = 5; part <= 8; part += 1) batches.push((size * part) / 4);

export class Controls {
  readonly element: HTMLElement;
  private readonly slider = h('input', { type: 'range', min: '0', max: `${batches.length - 1}`, step: '1' });
  private readonly batch = h('input', { type: 'number', min: '1', max: '1000000000', step: '1' });
  private readonly trains: HTMLElement[];

  constructor(
    private readonly state: State,
    choices: Choices,
    private readonly changed: () => void,
  ) {
    this.slider.addEventListener('input', () => this.setBatch(batches[Number(this.slider.value)] ?? 1));
    this.batch.addEventListener('input', () => {
      if (this.batch.checkValidity() && this.batch.value !== '') this.setBatch(Number(this.batch.value), false);
    });
    this.slider.id = 'batch-slider';
    const optimizer = this.select('Optimizer', 'optimizer', choices.optimizers.map(same));
    const recompute = this.select('Recompute activations', 'recompute', [
      ['', 'none'],
      ['0.05', 'up to 5 % of the forward pass'],
      ['0.35', 'up to 35 % of the forward pass'],
      ['1', 'up to 100 % of the forward pass'],
    ]);
    const epochs = this.number('Epochs', 'epochs', '1', '1');
    this.trains = [optimizer, recompute, epochs];
    const ways: [string, string][] = [
      ['train', 'training'],
      ['inference', 'inference'],
    ];
    const frameworks: [string, string][] = [['', 'automatic'], ...choices.frameworks.map(same)];
    this.element = h(
      'section',
      { class: 'controls', 'aria-label': 'The job' },
      h(
        'div',
        { class: 'batch' },
        field('Batch, samples a step', this.slider),
        field('exactly', this.batch),
      ),
      this.select('Mode', 'mode', ways),
      this.select('Number format', 'dtype', choices.formats.map(same)),
      optimizer,
      recompute,
      this.select('Framework', 'framework', frameworks),
      this.number('Load line (share)', 'loadLine', '0.05', '0.05', '1'),
      this.number('Samples in the set', 'samples', '1', '1'),
      epochs,
      this.number('Price, USD an hour', 'price', '0', 'any', undefined, 'catalog’s'),
    );
    this.show();
  }

  setBatch(batch: number, write = true): void {
    this.state.batch = batch;
    this.show(write);
    this.changed();
  }

  private show(write = true): void {
    const { batch } = this.state;
    let nearest = 0;
    for (let i = 0; i < batches.length; i += 1) if ((batches[i] ?? 0) <= batch) nearest = i;
    this.slider.value = `${nearest}`;
    this.slider.setAttribute('aria-valuetext', `${count(batch)} samples`);
    if (write) this.batch.value = `${batch}`;
    for (const control of this.trains)
      for (const input of control.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input,select'))
        input.disabled = this.state.mode !== 'train';
  }

  private select(label: string, name: 'mode' | 'dtype' | 'optimizer' | 'recompute' | 'framework',
                 entries: [string, string][]): HTMLElement {
    const select = h('select', { name });
    const known = entries.some(([value]) => value === this.state[name]);
    if (!known) this.state[name] = entries[0]?.[0] ?? '';
    options(select, entries, this.state[name]);
    select.addEventListener('change', () => {
      this.state[name] = select.value;
      this.show();
      this.changed();
    });
    return field(label, select);
  }

  private number(label: string, name: 'loadLine' | 'samples' | 'epochs' | 'price', min: string, step: string,
                 max = '1000000000000', placeholder = ''): HTMLElement {
    const input = h('input', { type: 'number', name, min, step, max, placeholder });
    input.value = this.state[name];
    input.addEventListener('input', () => {
      if (!input.checkValidity() || (input.value === '' && name !== 'price')) return;
      this.state[name] = input.value;
      this.changed();
    });
    return field(label, input);
  }
}

function same(name: string): [string, string] {
  return [name, name];
}
