// A drawing of the page on a canvas, in the colours that the style sheet gives it. The page's own policy lets no
// picture be loaded from a string, so its shapes are drawn one by one. It must stand in the document.

export const number = (element: Element, name: string): number => Number(element.getAttribute(name) ?? 0);

// null of what has none: texts, groups.
function outline(element: SVGElement): Path2D | null {
  const at = (name: string): number => number(element, name);
  const path = new Path2D();
  if (element instanceof SVGPathElement) return new Path2D(element.getAttribute('d') ?? '');
  if (element instanceof SVGRectElement) path.rect(at('x'), at('y'), at('width'), at('height'));
  else if (element instanceof SVGCircleElement) path.arc(at('cx'), at('cy'), at('r'), 0, 2 * Math.PI);
  else if (element instanceof SVGLineElement) {
    path.moveTo(at('x1'), at('y1'));
    path.lineTo(at('x2'), at('y2'));
  } else return null;
  return path;
}

const anchors: Record<string, CanvasTextAlign> = { start: 'left', middle: 'center', end: 'right' };

// The halo of a text lies behind it.
function write(at: CanvasRenderingContext2D, element: SVGTextElement, style: CSSStyleDeclaration): void {
  const [x, y, words] = [number(element, 'x'), number(element, 'y'), element.textContent ?? ''];
  at.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  at.textAlign = anchors[style.textAnchor] ?? 'left';
  if (style.stroke !== 'none') at.strokeText(words, x, y);
  at.fillText(words, x, y);
}

function draw(at: CanvasRenderingContext2D, element: SVGElement): void {
  const style = getComputedStyle(element);
  if (style.display === 'none' || style.visibility === 'hidden' || element instanceof SVGDefsElement) return;
  at.save();
  at.globalAlpha *= Number(style.opacity);
  at.fillStyle = style.fill;
  at.strokeStyle = style.stroke;
  at.lineWidth = Number.parseFloat(style.strokeWidth);
  at.lineJoin = 'round';
  at.setLineDash(style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(',').map(Number.parseFloat));
  const shape = outline(element);
  if (element instanceof SVGTextElement) write(at, element, style);
  else if (shape) {
    if (style.fill !== 'none') at.fill(shape);
    if (style.stroke !== 'none') at.stroke(shape);
  } else for (const child of element.children) if (child instanceof SVGElement) draw(at, child);
  at.restore();
}

export function drawSvg(at: CanvasRenderingContext2D, svg: SVGSVGElement, x: number, y: number, scale: number): void {
  at.save();
  at.translate(x, y);
  at.scale(scale, scale);
  for (const child of svg.children) if (child instanceof SVGElement) draw(at, child);
  at.restore();
}
