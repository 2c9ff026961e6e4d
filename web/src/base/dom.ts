// Elements, made without markup in strings: what comes from a file or a name can only ever be text.

export type Child = Node | string | null;
type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

function set(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  for (const child of children) if (child !== null) element.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes, children);
  return element;
}

export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child): child is Node | string => child !== null));
}

// A command, broken between its words alone where there is room for them.
export const commandCode = (line: string): HTMLElement =>
  h('code', {}, ...line.split(' ').flatMap((word, i): Child[] => [i > 0 ? ' ' : null, h('span', {}, word)]));

export function button(text: string, click: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h('button', { type: 'button', click, ...attributes }, text);
}

// A labelled field: label, control, what it is and what is wrong with it.
export function field(label: string, control: HTMLElement, ...notes: HTMLElement[]): HTMLElement {
  const id = control.id || uniqueId('field');
  control.id = id;
  return h('div', { class: 'field' }, h('label', { for: id }, label), control, ...notes);
}

export const uniqueId = (kind: string): string => `${kind}-${(count += 1)}`;
let count = 0;

export function options(select: HTMLSelectElement, entries: [value: string, text: string][], chosen: string): void {
  fill(select, ...entries.map(([value, text]) => h('option', { value, selected: value === chosen }, text)));
  select.value = chosen;
}

// Names and values in pairs.
export function facts(rows: [name: string, value: string][], className = 'facts'): HTMLElement {
  return h(
    'dl',
    { class: className },
    ...rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}

export function table(
  head: string[],
  rows: Child[][],
  caption: string,
  rowClass: (row: number) => string = () => '',
): HTMLElement {
  const cells = (row: Child[]): HTMLElement[] => row.map((cell) => h('td', {}, cell));
  return h(
    'table',
    {},
    h('caption', {}, caption),
    h('thead', {}, h('tr', {}, ...head.map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...rows.map((row, i) => h('tr', { class: rowClass(i) }, ...cells(row)))),
  );
}

// A table that is wider than a phone is moved sideways by itself, by keyboard too.
export function scroller(label: string, content: HTMLElement): HTMLElement {
  return h('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': label }, content);
}

export const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));
