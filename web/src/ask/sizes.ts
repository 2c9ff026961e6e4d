// The sizes that a dropped network leaves open: a field for each, by the name that the file has for it.
import { CheckedField } from '../base/checked_field';
import { fill, h } from '../base/dom';
import type { State } from '../base/state';
import { wrongNumber } from '../base/units';

const largest = 1e9;

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
    const input = h('input', { type: 'number', step: 'any', placeholder: 'how large?' });
    input.value = size;
    const taken = (text: string): void => {
      this.state.sizes.set(name, text);
      this.changed();
    };
    const wrong = (text: string): string => (text === '' ? '' : wrongNumber(text, 1, largest, true));
    return new CheckedField(`Size of ${name}`, input, wrong, taken, 'input').element;
  }
}
