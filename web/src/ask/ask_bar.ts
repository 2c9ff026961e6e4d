// The question: a network, a device, what to do, examples to begin with.
import type { Choices } from '../base/api';
import { h } from '../base/dom';
import type { State } from '../base/state';
import { Combobox } from './combobox';
import { deviceEntries } from './device_choice';
import type { Drop } from './drop';
import { examples } from './examples';
import { ModeChoice } from './mode_choice';
import { networkEntries } from './network_choice';

export class AskBar {
  readonly element: HTMLElement;
  private readonly network: Combobox;
  private readonly device: Combobox;
  private readonly mode: ModeChoice;
  private readonly wrong = h('p', { class: 'wrong', role: 'alert', hidden: true });

  constructor(
    private readonly choices: Choices,
    private readonly files: Map<string, string>,
    drop: Drop,
    take: (state: Partial<State>) => void,
  ) {
    this.network = new Combobox('Network', 'Search networks: resnet50, llama …', (model) => take({ model }));
    this.device = new Combobox('Device', 'Search devices: T4, H100 …', (device) => take({ device }));
    this.mode = new ModeChoice((mode) => take({ mode }));
    this.device.offer(deviceEntries(choices));
    this.offer();
    const row = h(
      'div',
      { class: 'ask-row' },
      this.network.element,
      h('span', { class: 'on', 'aria-hidden': 'true' }, 'on'),
      this.device.element,
      this.mode.element,
    );
    this.element = h(
      'section',
      { class: 'ask', 'aria-label': 'The question' },
      row,
      this.wrong,
      examples(take, drop.button()),
      drop.element,
    );
  }

  offer(): void {
    this.network.offer(networkEntries(this.choices, this.files));
  }

  show(state: State, text: boolean): void {
    this.network.show(state.model);
    this.device.show(state.device);
    this.mode.show(state.mode, text);
    this.wrong.hidden = true;
  }

  // A network or device that the server does not know is told beside its field.
  complain(text: string): void {
    this.wrong.textContent = text;
    this.wrong.hidden = false;
  }
}
