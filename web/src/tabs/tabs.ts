// Tabs, by ARIA's pattern: arrows move between them.
import { h } from '../base/dom';
import type { Tab } from '../base/state';
import { nameOf } from '../base/words';

export interface TabEntry {
  name: Tab;
  element: HTMLElement;
  look(visible: boolean): void;
}

// The row of tabs is wider than a phone; the page itself stays where it is.
function intoView(tab: HTMLElement): void {
  const row = tab.parentElement!;
  const [own, all] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
  if (own.left < all.left || own.right > all.right) row.scrollLeft += own.left - all.left - (all.width - own.width) / 2;
}

export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons = new Map<Tab, HTMLButtonElement>();

  constructor(
    private readonly entries: TabEntry[],
    private readonly chosen: (tab: Tab) => void,
  ) {
    const list = h('div', { role: 'tablist', class: 'tablist', 'aria-label': 'The answer in detail' });
    const panels = entries.map((entry) => {
      const button = h(
        'button',
        { type: 'button', role: 'tab', id: `tab-${entry.name}`, 'aria-controls': `panel-${entry.name}` },
        nameOf(entry.name),
      );
      button.addEventListener('click', () => this.chosen(entry.name));
      this.buttons.set(entry.name, button);
      list.append(button);
      return h(
        'div',
        { role: 'tabpanel', id: `panel-${entry.name}`, 'aria-labelledby': `tab-${entry.name}`, tabindex: '0' },
        entry.element,
      );
    });
    list.addEventListener('keydown', (event) => this.key(event));
    this.element = h('section', { class: 'panel tabs' }, list, ...panels);
  }

  show(tab: Tab): void {
    for (const entry of this.entries) {
      const on = entry.name === tab;
      const button = this.buttons.get(entry.name)!;
      button.setAttribute('aria-selected', on ? 'true' : 'false');
      button.tabIndex = on ? 0 : -1;
      if (on) requestAnimationFrame(() => intoView(button));
      this.element.querySelector<HTMLElement>(`#panel-${entry.name}`)!.hidden = !on;
      entry.look(on);
    }
  }

  private key(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = this.entries.findIndex((entry) => this.buttons.get(entry.name) === document.activeElement);
    if (by === undefined || at < 0) return;
    event.preventDefault();
    const next = this.entries[(at + by + this.entries.length) % this.entries.length]!;
    this.chosen(next.name);
    this.buttons.get(next.name)!.focus();
  }
}
