// Train, run once through, or serve: what is done with the network. Only networks of text can be served.
import { h } from '../base/dom';

const modes: [value: string, text: string, about: string][] = [
  ['train', 'Train', 'Forward, backward and an update, step after step'],
  ['inference', 'Infer', 'Forward alone: predictions, a batch at a time'],
  ['generate', 'Serve', 'Text written token by token for many users at once; of language models'],
];

export class ModeChoice {
  readonly element: HTMLElement;
  private readonly inputs = new Map<string, HTMLInputElement>();

  constructor(changed: (mode: string) => void) {
    this.element = h('fieldset', { class: 'modes' }, h('legend', { class: 'for-ears' }, 'What to do with it'));
    for (const [value, text, about] of modes) {
      const input = h('input', { type: 'radio', name: 'mode', value, id: `mode-${value}` });
      input.addEventListener('change', () => changed(value));
      this.inputs.set(value, input);
      this.element.append(input, h('label', { for: `mode-${value}`, title: about }, text));
    }
  }

  show(mode: string, text: boolean): void {
    for (const [value, input] of this.inputs) {
      input.checked = value === mode;
      input.disabled = value === 'generate' && !text;
    }
  }
}
