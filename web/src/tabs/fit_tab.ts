// Fit: the memory of the step over its operations, and the answer in words. Of networks of text the parts alone are
// known, not operation by operation.
import { partsOf } from '../base/answer';
import { type AnyFit, askFit, askStep, type Fit, type Step } from '../base/api';
import { fill, h, scroller, table } from '../base/dom';
import { fitRequest } from '../base/job';
import type { Question } from '../base/question';
import { bytes, percent } from '../base/units';
import { plain } from '../base/words';
import { Drawing } from '../draw/drawing';
import { legend } from '../draw/legend';
import { partName } from '../draw/palette';
import { TabView } from './tab_view';
import { readout, stacked, timeline, timelineParts } from './timeline';

interface FitAnswer {
  fit: AnyFit;
  step: Step | null;
}

export class FitTab extends TabView<FitAnswer> {
  private marked = '';

  constructor() {
    super('fit');
  }

  // An operation that another tab points at.
  point(operation: string): void {
    this.marked = operation;
    this.again();
  }

  protected async ask(question: Question): Promise<FitAnswer> {
    const request = fitRequest(question.state, question.kind, question.text);
    const step = question.kind === 'samples' ? askStep(request).catch(() => null) : Promise.resolve(null);
    return { fit: await askFit({ ...request, brief: true }), step: await step };
  }

  protected draw(_: Question, { fit, step }: FitAnswer): void {
    const notes = fit.sentences.slice(1).map((sentence) => h('li', {}, plain(sentence)));
    const words = h('ul', { class: 'notes' }, ...notes);
    if (!('timeline' in fit)) return fill(this.place, partsTable(fit), words);
    const rows = stacked(fit, step);
    const drawing = new Drawing();
    byKeys(drawing.element);
    const said = readout();
    fill(
      this.place,
      h('h3', {}, 'Memory during the step'),
      legend(timelineParts(rows)),
      drawing.element,
      said,
      partsTable(fit),
      words,
    );
    drawing.show((width) => [timeline({ fit, step, marked: this.marked }, width, said)]);
    this.marked = '';
  }
}

// Arrows go from operation to operation, with Shift ten at a time.
function byKeys(element: HTMLElement): void {
  element.tabIndex = 0;
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', 'Memory during the step; arrow keys go through its operations');
  element.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const move = new CustomEvent('move', { detail: event.shiftKey ? 10 * by : by });
    element.querySelector('.pointed')?.dispatchEvent(move);
  });
}

function partsTable(fit: AnyFit): HTMLElement {
  const cells = partsOf(fit).map(([name, size]) => [partName(name), bytes(size), percent(size / fit.peak_bytes)]);
  const largest = (fit as Fit).at_peak?.slice(0, 8) ?? [];
  const tensors = largest.map((tensor) => [tensor.name, tensor.shape?.join(' × ') ?? '', bytes(tensor.bytes)]);
  return h(
    'div',
    { class: 'two' },
    scroller(
      'Parts of the memory',
      table(['At the peak', 'Memory', 'Share'], cells, 'What takes the memory at the peak'),
    ),
    tensors.length > 0
      ? scroller('Largest tensors', table(['Tensor', 'Shape', 'Memory'], tensors, 'The largest tensors then'))
      : null,
  );
}
