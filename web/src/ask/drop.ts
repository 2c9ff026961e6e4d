// A network's file, dropped anywhere on the page or chosen with a button: .onnx, config.json or .gguf.
import { upload, type DroppedNetwork } from '../base/api';
import { button, h, message } from '../base/dom';

const headOfGguf = 64 << 20; // bytes: sizes and names are there, weights are not sent

export class Drop {
  readonly element: HTMLElement;
  private readonly message = h('p', { class: 'drop-message', role: 'status' });
  private readonly input = h('input', {
    type: 'file',
    accept: '.onnx,.json,.gguf',
    class: 'hidden',
    tabindex: '-1',
    'aria-hidden': 'true',
  });

  constructor(private readonly taken: (file: File, network: DroppedNetwork) => void) {
    this.input.addEventListener('change', () => {
      const file = this.input.files?.[0];
      if (file) void this.take(file);
      this.input.value = '';
    });
    this.element = h('div', { class: 'drop' }, this.message, this.input);
    addEventListener('dragover', (event) => {
      event.preventDefault();
      document.body.classList.add('dragging');
    });
    addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) document.body.classList.remove('dragging');
    });
    addEventListener('drop', (event) => {
      event.preventDefault();
      document.body.classList.remove('dragging');
      const file = event.dataTransfer?.files[0];
      if (file) void this.take(file);
    });
  }

  // Where the button stands is another's choice.
  button(): HTMLButtonElement {
    return button('Your own file …', () => this.input.click(), {
      class: 'chip',
      title: 'An .onnx file, a config.json or a .gguf; or drop it anywhere on the page. It stays on this machine.',
    });
  }

  private async take(file: File): Promise<void> {
    this.say(`${file.name} is read …`, false);
    try {
      const network = await upload(file.name.endsWith('.gguf') ? file.slice(0, headOfGguf) : file);
      const open = network.open_sizes.length > 0 ? '; it leaves sizes open: say how large they are' : '';
      this.say(`${file.name} is there${open}`, false);
      this.taken(file, network);
    } catch (error) {
      this.say(`${file.name}: ${message(error).replace(/^the file: /, '')}`, true);
    }
  }

  private say(text: string, wrong: boolean): void {
    this.message.classList.toggle('no', wrong);
    this.message.textContent = text;
  }
}
