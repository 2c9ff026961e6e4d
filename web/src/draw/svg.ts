// SVG elements, made as HTML ones are: no markup in strings.

type Attributes = Record<string, string | number>;

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  element.append(...children);
  return element;
}

// A picture as wide as its place: what is drawn is told the width in pixels, so that text keeps its size.
export function picture(width: number, height: number, label: string, ...children: Node[]): SVGSVGElement {
  const box = `0 0 ${width} ${height}`;
  return s('svg', { viewBox: box, width, height, role: 'img', 'aria-label': label, class: 'drawn' }, ...children);
}

export const text = (x: number, y: number, words: string, anchor = 'start', className = ''): SVGTextElement =>
  s('text', { x, y, 'text-anchor': anchor, class: className }, words);

export const tip = (element: SVGElement, words: string): SVGElement => {
  element.append(s('title', {}, words));
  return element;
};
