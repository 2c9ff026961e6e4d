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

const letter = 7.2; // pixels wide, at most

// Words beside a point, on the side where they have room; `least`, where the drawing begins.
export function beside(x: number, y: number, words: string, least: number, width: number, gap = 9): SVGTextElement {
  const long = words.length * letter;
  if (x + gap + long < width) return text(x + gap, y, words, 'start', 'halo');
  if (x - gap - long > least) return text(x - gap, y, words, 'end', 'halo');
  return text(Math.max(least, width - long), y - gap, words, 'start', 'halo');
}

export const tip = (element: SVGElement, words: string): SVGElement => {
  element.append(s('title', {}, words));
  return element;
};
