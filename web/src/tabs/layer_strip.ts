// Where a layer is in the step: the memory of the step as a low strip, and over it marks at the operations of the layer
// that is pointed at, here or in the table.
import type { Step } from '../base/api';
import { h } from '../base/dom';
import { bytes, count, seconds } from '../base/units';
import { Drawing } from '../draw/drawing';
import { picture, s, text } from '../draw/svg';
import { ownerOf } from './layer_rows';

const height = 64;
const [top, ground] = [6, 48];

export class LayerStrip {
  readonly element: HTMLElement;
  private readonly drawing = new Drawing('strip');
  private readonly said = h('output', { class: 'readout' }, 'Point at a layer: where it is in the step.');
  private readonly marks = s('g', { class: 'strip-marks' });
  private places = new Map<string, number[]>(); // of each layer, operations of the step
  private step: Step | null = null;
  private width = 0;

  constructor() {
    this.element = h('div', {}, this.drawing.element, this.said);
  }

  // Nothing is known of a step that is not told operation by operation.
  show(step: Step | null, layers: string[]): void {
    this.step = step;
    this.element.hidden = step === null;
    this.places = new Map();
    if (!step) return;
    const owner = ownerOf(layers);
    step.operations.forEach((operation, i) => {
      const layer = owner(operation.name);
      if (layer !== undefined) this.places.set(layer, [...(this.places.get(layer) ?? []), i]);
    });
    this.drawing.show((width) => [this.drawn(step, width)]);
  }

  point(layer: string): void {
    const [step, places] = [this.step, this.places.get(layer)];
    if (!step || !places) return;
    const wide = Math.max(2, this.width / step.operations.length);
    const at = (i: number): number => (i / step.operations.length) * this.width;
    this.marks.replaceChildren(
      ...places.map((i) => s('rect', { x: at(i), y: top - 4, width: wide, height: ground - top + 4 })),
    );
    const told = ['forward', 'backward', 'update'].flatMap((phase) => {
      const found = places.filter((i) => step.operations[i]!.phase === phase).map((i) => count(i + 1));
      if (found.length === 0) return [];
      return [`${phase} ${found.length > 3 ? `${found[0]} to ${found[found.length - 1]}` : found.join(', ')}`];
    });
    const time = places.reduce((sum, i) => sum + (step.operations[i]!.seconds ?? 0), 0);
    const most = Math.max(...places.map((i) => alive(step, i)));
    const took = time > 0 ? ` · ${seconds(time)}` : '';
    const where = `operation ${told.join('; ')}`;
    this.said.textContent = `${layer}: ${where}${took} · at most ${bytes(most)} of tensors meanwhile`;
  }

  private drawn(step: Step, width: number): SVGSVGElement {
    this.width = width;
    const sums = step.operations.map((_, i) => alive(step, i));
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
    step.operations.forEach((operation, i) => {
      const phase = operation.phase === 'loss' ? 'forward' : operation.phase;
      if (phase === before) return;
      before = phase;
      const left = (i / sums.length) * width;
      if (width - left > phase.length * 7) svg.append(text(left + 2, height - 3, phase, 'start'));
    });
    return svg;
  }
}

const alive = (step: Step, i: number): number => step.operations[i]!.alive_bytes.reduce((sum, part) => sum + part, 0);
