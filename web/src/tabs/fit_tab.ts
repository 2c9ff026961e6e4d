// Fit: the memory of the step over its operations, and the answer in words. Of text that is served the parts alone are
// told: they do not change from token to token.
import { partsOf } from '../base/answer';
import { type AnyFit, askFit, askStep, askTokenStep, type Fit, type TokenFit } from '../base/api';
import { fill, h, scroller, table } from '../base/dom';
import { fitRequest } from '../base/job';
import { type Question, subjectOf } from '../base/question';
import { bytes, percent } from '../base/units';
import { plain } from '../base/words';
import { legend } from '../draw/legend';
import { partName } from '../draw/palette';
import { TabView } from './tab_view';
import { memoryOfSamples, memoryOfTokens, type StepMemory } from './step_memory';
import { readout, timeline, timelineParts } from './timeline';

interface FitAnswer {
  fit: AnyFit;
  memory: StepMemory | null; // operation by operation
}

export class FitTab extends TabView<FitAnswer> {
  private marked = '';

  constructor() {
    super('fit');
    byKeys(this.drawing.element);
  }

  protected titleOf(question: Question): string {
    const what = question.kind === 'serving' ? 'What the memory holds' : 'Memory during the step';
    return `${what}: ${subjectOf(question)}, on ${question.where}`;
  }

  // An operation that another tab points at.
  point(operation: string): void {
    this.marked = operation;
    this.again();
  }

  protected async ask(question: Question): Promise<FitAnswer> {
    const request = fitRequest(question.state, question.kind, question.text);
    const asked = askFit({ ...request, brief: true });
    if (question.kind === 'serving') return { fit: await asked, memory: null };
    if (question.kind === 'tokens') {
      const [fit, step] = await Promise.all([asked, askTokenStep(request)]);
      return { fit, memory: memoryOfTokens(fit as TokenFit, step) };
    }
    const [fit, step] = await Promise.all([asked, askStep(request).catch(() => null)]);
    return { fit, memory: memoryOfSamples(fit as Fit, step) };
  }

  protected draw(_: Question, { fit, memory }: FitAnswer): void {
    const notes = fit.sentences.slice(1).map((sentence) => h('li', {}, plain(sentence)));
    const words = h('ul', { class: 'notes' }, ...notes);
    const verdict = h('p', { class: 'tab-verdict' }, verdictOf(fit));
    if (memory === null) return fill(this.place, verdict, partsTable(fit), words);
    const said = readout();
    fill(this.place, verdict, legend(timelineParts(memory)), this.drawing.element, said, partsTable(fit), words);
    const marked = this.marked;
    this.drawing.show((width) => [timeline(memory, marked, width, said)]);
    this.marked = '';
  }
}

// What takes the most, and when.
function verdictOf(fit: AnyFit): string {
  const [name, size] = partsOf(fit).reduce((most, part) => (part[1] > most[1] ? part : most), ['', 0]);
  const held = `${bytes(fit.peak_bytes)}, ${percent(size / fit.peak_bytes)} of it ${partName(name)}.`;
  return 'peak_operation' in fit ? `The step is fullest at ${fit.peak_operation}: ${held}` : `It holds ${held}`;
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
      ? scroller('Largest tensors', table(['Tensor', 'Shape', 'Memory'], tensors, 'The largest tensors at the peak'))
      : null,
  );
}
