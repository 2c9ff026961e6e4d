// Train, run once through, or serve: what is done with the network. Only networks of text can be served.
import { h } from '../base/dom';

const modes: [value: string, text: string][] = [
  ['train', 'Train'],
  ['inference', 'Infer'],
  ['generate', 'Serve'],
];

export class ModeChoice {
  readonly element: HTMLElement;
  private readonly inputs = new Map<string, HTMLInputElement>();

  constructor(changed: (mode: string) => void) {
    this.element = h('fieldset', { class: 'modes' }, h('legend', { class: 'for-ears' }, 'What to do with it'));
    for (const [value, text] of modes) {
      const input = h('input', { type: 'radio', name: 'mode', value, id: `mode-${value}` });
      input.addEventListener('change', () => changed(value));
      this.inputs.set(value, input);
      this.element.append(input, h('label', { for: `mode-${value}` }, text));
    }
  }

  show(mode: string, text: boolean): void {
    for (const [value, input] of this.inputs) {
      input.checked = value === mode;
      input.disabled = value === 'generate' && !text;
    }
  }
}
