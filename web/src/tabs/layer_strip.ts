// Where a layer is in the step: the memory of the step as a low strip, and over it marks at the operations of the layer
// that is pointed at, here or in the table.
import { h } from '../base/dom';
import { bytes, count, seconds } from '../base/units';
import { Drawing } from '../draw/drawing';
import { picture, s, text } from '../draw/svg';
import { type LayerOperation, ownerOf } from './layer_rows';

const height = 64;
const [top, ground] = [6, 48];

export class LayerStrip {
  readonly element: HTMLElement;
  private readonly drawing = new Drawing('strip');
  private readonly said = h('output', { class: 'readout' }, 'Point at a layer: where it is in the step.');
  private readonly marks = s('g', { class: 'strip-marks' });
  private places = new Map<string, number[]>(); // of each layer, operations of the step
  private operations: LayerOperation[] = [];
  private width = 0;

  constructor() {
    this.element = h('div', {}, this.drawing.element, this.said);
  }

  // Nothing is known of a step that is not told operation by operation.
  show(operations: LayerOperation[], layers: string[]): void {
    this.operations = operations;
    this.element.hidden = operations.length === 0;
    this.places = new Map();
    if (operations.length === 0) return;
    const owner = ownerOf(layers);
    operations.forEach((operation, i) => {
      const layer = owner(operation.name);
      if (layer !== undefined) this.places.set(layer, [...(this.places.get(layer) ?? []), i]);
    });
    this.drawing.show((width) => [this.drawn(operations, width)]);
  }

  point(layer: string): void {
    const [operations, places] = [this.operations, this.places.get(layer)];
    if (!places) return;
    const wide = Math.max(2, this.width / operations.length);
    const at = (i: number): number => (i / operations.length) * this.width;
    this.marks.replaceChildren(
      ...places.map((i) => s('rect', { x: at(i), y: top - 4, width: wide, height: ground - top + 4 })),
    );
    const told = ['forward', 'backward', 'update'].flatMap((phase) => {
      const found = places.filter((i) => operations[i]!.phase === phase).map((i) => count(i + 1));
      if (found.length === 0) return [];
      return [`${phase} ${found.length > 3 ? `${found[0]} to ${found[found.length - 1]}` : found.join(', ')}`];
    });
    const time = places.reduce((sum, i) => sum + (operations[i]!.seconds ?? 0), 0);
    const most = Math.max(...places.map((i) => operations[i]!.alive));
    const took = time > 0 ? ` · ${seconds(time)}` : '';
    const where = `operation ${told.join('; ')}`;
    this.said.textContent = `${layer}: ${where}${took} · at most ${bytes(most)} meanwhile`;
  }

  private drawn(operations: LayerOperation[], width: number): SVGSVGElement {
    this.width = width;
    const sums = operations.map(({ alive }) => alive);
    const most = Math.max(1, ...sums);
    const y = (value: number): number => ground - (value / most) * (ground - top);
    let path = `M0 ${ground}`;
    sums.forEach((sum, i) => {
      path += `L${((i / sums.length) * width).toFixed(1)} ${y(sum).toFixed(1)}`;
      path += `H${(((i + 1) / sums.length) * width).toFixed(1)}`;
    });
    const svg = picture(width, height, 'Tensors in memory during the step');
    svg.append(s('path', { class: 'strip-area', d: `${path}L${width} ${ground}Z` }), this.marks);
    let before = '';
    operations.forEach((operation, i) => {
      const phase = operation.phase === 'loss' ? 'forward' : operation.phase;
      if (phase === before) return;
      before = phase;
      const left = (i / sums.length) * width;
      if (width - left > phase.length * 7) svg.append(text(left + 2, height - 3, phase, 'start'));
    });
    return svg;
  }
}
