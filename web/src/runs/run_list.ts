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

// Its process is gone, and its log says nothing of an end.
export const wasKilled = (run: Run): boolean => !run.running && run.ended === undefined;

export function endingOf(run: Run): [text: string, className: string] {
  if (run.running) return ['running', 'running'];
  if (wasKilled(run)) return [run.step === undefined ? 'never began' : 'stopped without saving', 'failed-run'];
  return endings[run.ended!] ?? [run.ended!, 'stopped'];
}

// Where the reader is: 2026-11-18 20:15.
function dateOf(run: Run): string {
  const date = new Date(run.begun * 1000);
  const two = (value: number): string => `${value}`.padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`.replaceAll('-', '\u2011').replace(' ', '\u00a0');
}

// One training of the list. Its elements stay for as long as it is listed: a click begins and ends on one box, whatever
// news come meanwhile.
class Entry {
  readonly element: HTMLElement;
  private readonly name = h('span', { class: 'run-name' });
  private readonly ending = h('span');
  private readonly about = h('span', { class: 'note' });
  private readonly button: HTMLElement;
  private readonly drawn: HTMLInputElement;
  private readonly swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });

  constructor(
    private run: Run,
    choose: (run: Run) => void,
    over: (run: Run, drawn: boolean) => void,
  ) {
    const { id } = run;
    this.button = h('button', { type: 'button', 'data-run': id }, this.name, this.ending, this.about);
    this.button.className = 'run-button';
    this.button.addEventListener('click', () => choose(this.run));
    this.drawn = h('input', { type: 'checkbox', 'data-run': `over-${id}` });
    this.drawn.addEventListener('change', () => over(this.run, this.drawn.checked));
    this.element = h('li', {}, this.drawn, this.swatch, this.button);
  }

  show(run: Run, chosen: string, others: string[], colours: Map<string, string>): void {
    this.run = run;
    const isChosen = run.id === chosen;
    const [text, className] = endingOf(run);
    this.name.textContent = run.name;
    this.ending.textContent = text;
    this.ending.className = className;
    const accuracy = run.accuracy === undefined ? '' : `accuracy ${precise(run.accuracy)} · `;
    this.about.textContent = `${accuracy}${dateOf(run)}`;
    this.button.setAttribute('aria-pressed', `${isChosen}`);
    this.drawn.setAttribute('aria-label', `Draw ${run.name} too`);
    this.drawn.checked = isChosen || others.includes(run.id);
    this.drawn.disabled = isChosen;
    const colour = colours.get(run.id);
    this.swatch.style.visibility = colour ? '' : 'hidden'; // its place stays
    this.swatch.style.background = colour ? `var(--${colour})` : '';
  }
}

export class RunList {
  readonly element: HTMLElement;
  private readonly list = h('ul', { class: 'runs' });
  private entries = new Map<string, Entry>();
  private shown = '';

  constructor(
    private readonly choose: (run: Run) => void,
    private readonly over: (run: Run, drawn: boolean) => void,
  ) {
    this.element = h('nav', { 'aria-label': 'Trainings', class: 'panel' }, h('h2', {}, 'Trainings'), this.list);
  }

  show(runs: Run[], folder: string, chosen: string, others: string[], colours: Map<string, string>): void {
    const before = this.entries;
    this.entries = new Map(runs.map((run) => [run.id, before.get(run.id) ?? new Entry(run, this.choose, this.over)]));
    for (const run of runs) this.entries.get(run.id)!.show(run, chosen, others, colours);
    const shown = JSON.stringify([folder, ...this.entries.keys()]);
    if (shown === this.shown) return;
    this.shown = shown;
    if (runs.length > 0) return this.place();
    const where = folder === '' ? '' : ` in ${folder}`;
    const hint = 'The “Train” tab of the plan has the command that starts one.';
    fill(this.list, h('li', { class: 'none' }, `There is no training${where}. ${hint}`));
  }

  // Only what is new or elsewhere is moved.
  private place(): void {
    const wanted = [...this.entries.values()].map((entry) => entry.element);
    for (const old of [...this.list.children]) if (!wanted.includes(old as HTMLElement)) old.remove();
    wanted.forEach((element, i) => {
      if (this.list.children[i] !== element) this.list.insertBefore(element, this.list.children[i] ?? null);
    });
  }
}
