// A field that says beside itself what is wrong with what is typed, and hands on only what can be asked.
import { field, h, uniqueId } from './dom';

export class CheckedField {
  readonly element: HTMLElement;
  private readonly wrong = h('p', { class: 'wrong', id: uniqueId('wrong'), role: 'alert', hidden: true });

  // `wrongWith`: '' when nothing is.
  constructor(
    label: string,
    private readonly input: HTMLInputElement,
    wrongWith: (text: string) => string,
    taken: (text: string) => void,
    event: 'change' | 'input' = 'change',
  ) {
    input.setAttribute('aria-describedby', this.wrong.id);
    input.addEventListener(event, () => {
      const text = input.value.trim();
      const wrong = input.validity.badInput ? 'A number is needed' : wrongWith(text);
      this.say(wrong);
      if (wrong === '') taken(text);
    });
    this.element = field(label, input, this.wrong);
  }

  say(wrong: string): void {
    this.wrong.textContent = wrong;
    this.wrong.hidden = wrong === '';
    this.input.setAttribute('aria-invalid', wrong === '' ? 'false' : 'true');
  }
}
