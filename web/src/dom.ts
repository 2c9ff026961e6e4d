// Elements, made without markup in strings: what comes from a file or a name can only ever be text.

type Child = Node | string | null;
type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child): child is Node | string => child !== null));
}

// A labelled field: label and control in one column.
export function field(label: string, control: HTMLElement, note?: HTMLElement): HTMLElement {
  const id = control.id || `field-${(count += 1)}`;
  control.id = id;
  return h('div', { class: 'field' }, h('label', { for: id }, label), control, note ?? null);
}
let count = 0;

export function options(select: HTMLSelectElement, entries: [value: string, text: string][], chosen: string): void {
  fill(select, ...entries.map(([value, text]) => h('option', { value, selected: value === chosen }, text)));
  select.value = chosen;
}
