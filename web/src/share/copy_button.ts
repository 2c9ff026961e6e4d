// A button that copies a text and says that it did.
import { button } from '../base/dom';

const saidMilliseconds = 2000;

export class CopyButton {
  readonly element: HTMLButtonElement;
  private text: () => string = () => '';

  constructor(
    private readonly label: string,
    className = 'chip',
  ) {
    this.element = button(label, () => void this.copy(), { class: className });
  }

  set(text: string | (() => string)): void {
    this.text = typeof text === 'string' ? () => text : text;
    this.element.title = typeof text === 'string' ? text : '';
  }

  private async copy(): Promise<void> {
    const done = await navigator.clipboard.writeText(this.text()).then(
      () => true,
      () => false,
    );
    this.element.textContent = done ? 'Copied' : 'The browser does not allow it';
    window.setTimeout(() => (this.element.textContent = this.label), saidMilliseconds);
  }
}
