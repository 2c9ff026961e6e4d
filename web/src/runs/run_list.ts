// The trainings of the runs folder: what became of each, and which are drawn.
import type { Run } from '../base/api';
import { fill, h } from '../base/dom';
import { precise } from '../base/units';

const endings: Record<string, [text: string, className: string]> = {
  finished: ['finished', 'finished'],
  'max-steps': ['finished', 'finished'],
  'early-stop': ['finished early', 'finished'],
  interrupted: ['stopped', 'stopped'],
  terminated: ['stopped', 'stopped'],
  'not-finite': ['failed: not finite', 'failed-run'],
};

export function endingOf(run: Run): [text: string, className: string] {
  if (run.running) return ['running', 'running'];
  if (run.ended === undefined) return [run.step === undefined ? 'never began' : 'failed: it was ended', 'failed-run'];
  return endings[run.ended] ?? [run.ended, 'stopped'];
}

const dateOf = (run: Run): string => new Date(run.begun * 1000).toISOString().slice(0, 16).replace('T', ' ');

export class RunList {
  readonly element: HTMLElement;
  private readonly list = h('ul', { class: 'runs' });

  constructor(
    private readonly choose: (run: Run) => void,
    private readonly over: (run: Run, drawn: boolean) => void,
  ) {
    this.element = h('nav', { 'aria-label': 'Trainings', class: 'panel' }, h('h2', {}, 'Trainings'), this.list);
  }

  show(runs: Run[], folder: string, chosen: string, others: string[], colours: Map<string, string>): void {
    if (runs.length === 0) {
      const where = folder === '' ? '' : ` in ${folder}`;
      return fill(
        this.list,
        h(
          'li',
          { class: 'none' },
          `There is no training${where}. The plan’s “Train” tab has the command that starts one.`,
        ),
      );
    }
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.run : undefined;
    fill(this.list, ...runs.map((run) => this.entry(run, chosen, others, colours)));
    if (focused !== undefined) this.list.querySelector<HTMLElement>(`[data-run="${CSS.escape(focused)}"]`)?.focus();
  }

  private entry(run: Run, chosen: string, others: string[], colours: Map<string, string>): HTMLElement {
    const [text, className] = endingOf(run);
    const isChosen = run.id === chosen;
    const about = [run.accuracy === undefined ? '' : precise(run.accuracy), dateOf(run)]
      .filter((word) => word !== '')
      .join(' · ');
    const button = h(
      'button',
      { type: 'button', 'aria-pressed': isChosen ? 'true' : 'false', 'data-run': run.id, class: 'run-button' },
      h('span', { class: 'run-name' }, run.name),
      h('span', { class: className }, text),
      h('span', { class: 'note' }, about),
    );
    button.addEventListener('click', () => this.choose(run));
    const drawn = h('input', { type: 'checkbox', 'aria-label': `Draw ${run.name} too`, 'data-run': `over-${run.id}` });
    drawn.checked = isChosen || others.includes(run.id);
    drawn.disabled = isChosen;
    drawn.addEventListener('change', () => this.over(run, drawn.checked));
    const colour = colours.get(run.id);
    const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
    if (colour) swatch.style.background = `var(--${colour})`;
    return h('li', {}, drawn, swatch, button);
  }
}
