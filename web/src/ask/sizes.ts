// The sizes that a dropped network leaves open: a field for each, by the name that the file has for it.
import { fill, field, h } from '../base/dom';
import type { State } from '../base/state';

const largest = '1000000000';

export class Sizes {
  readonly element = h('section', { class: 'panel fields sizes', 'aria-label': 'Sizes that were left open' });

  constructor(
    private readonly state: State,
    private readonly changed: () => void,
  ) {
    this.show();
  }

  // What is known of them by now is kept.
  ask(names: string[]): void {
    for (const name of names) if (!this.state.sizes.has(name)) this.state.sizes.set(name, '');
    this.show();
    if (names.length > 0) this.element.querySelector('input')?.focus();
  }

  private show(): void {
    this.element.hidden = this.state.sizes.size === 0;
    fill(this.element, ...[...this.state.sizes].map(([name, size]) => this.size(name, size)));
  }

  private size(name: string, size: string): HTMLElement {
    const input = h('input', { type: 'number', min: '1', max: largest, step: '1', placeholder: 'how large?' });
    input.value = size;
    input.addEventListener('input', () => {
      if (!input.checkValidity()) return;
      this.state.sizes.set(name, input.value);
      this.changed();
    });
    return field(`Size of ${name}`, input);
  }
}
