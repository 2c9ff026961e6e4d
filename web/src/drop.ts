// An .onnx file, dropped anywhere on the page or chosen with a button.
import { Refusal, upload, type DroppedNetwork } from './api';
import { h } from './dom';

export class Drop {
  readonly element: HTMLElement;
  private readonly message = h('span', { class: 'drop-message', role: 'status' }, 'or drop one anywhere');
  private readonly input = h('input', { type: 'file', accept: '.onnx', class: 'hidden', tabindex: '-1' });

  constructor(private readonly taken: (file: File, network: DroppedNetwork) => void) {
    const button = h('button', { type: 'button' }, 'Open an .onnx file');
    button.addEventListener('click', () => this.input.click());
    this.input.setAttribute('aria-hidden', 'true');
    this.input.addEventListener('change', () => {
      const file = this.input.files?.[0];
      if (file) void this.take(file);
      this.input.value = '';
    });
    this.element = h('div', { class: 'drop' }, button, this.message, this.input);
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

  private async take(file: File): Promise<void> {
    this.say(`${file.name} is read …`, false);
    try {
      const network = await upload(file);
      const open = network.open_sizes.length > 0 ? '; it leaves sizes open: say how large they are' : '';
      this.say(`${file.name} is there${open}`, false);
      this.taken(file, network);
    } catch (error) {
      this.say(`${file.name}: ${error instanceof Refusal ? error.message : String(error)}`, true);
    }
  }

  private say(text: string, wrong: boolean): void {
    this.message.classList.toggle('no', wrong);
    this.message.textContent = text;
  }
}
