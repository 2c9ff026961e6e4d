// Layers: a map whose areas are parameters, work, memory or time, and the same as a table that can be sorted and
// searched. A layer's name leads to its place in the step.
import { askStep, askTokenStep, askWeigh, type Weight } from '../base/api';
import { button, fill, h, scroller } from '../base/dom';
import { fitRequest, weighRequest } from '../base/job';
import type { Question } from '../base/question';
import { fileName } from '../base/words';
import { bytes, count, large, percent, seconds } from '../base/units';
import { legend } from '../draw/legend';
import { kindColour, kindName } from '../draw/palette';
import { picture, s, text, tip } from '../draw/svg';
import { treemap } from '../draw/treemap';
import { type LayerOperation, type LayerRow, layerRows, operationsOf, operationsOfTokens } from './layer_rows';
import { LayerStrip } from './layer_strip';
import { TabView } from './tab_view';

type Measure = 'params' | 'macs' | 'memory' | 'seconds';

const measures: [Measure, string, (value: number) => string][] = [
  ['seconds', 'Time', seconds],
  ['memory', 'Memory', bytes],
  ['macs', 'MACs', large],
  ['params', 'Parameters', count],
];
const rowsAtFirst = 20;
const leads = '; point at one to see where it is in the step, click to go there';

interface LayersAnswer {
  weigh: Weight;
  operations: LayerOperation[]; // none where a step is not told operation by operation
}

export class LayersTab extends TabView<LayersAnswer> {
  private measure: Measure = 'seconds';
  private sorted: Measure = 'seconds';
  private query = '';
  private all = false;
  private rows: LayerRow[] = [];
  private readonly strip = new LayerStrip();
  private readonly list = h('div', {});
  private readonly colours = h('div', {});
  private readonly verdict = h('p', { class: 'tab-verdict' });

  constructor(private readonly point: (operation: string) => void) {
    super('layers');
    for (const part of [this.drawing.element, this.list])
      for (const event of ['pointerover', 'focusin'])
        part.addEventListener(event, ({ target }) => {
          const layer = (target as Element).closest<HTMLElement | SVGElement>('[data-layer]')?.dataset.layer;
          if (layer !== undefined) this.strip.point(layer);
        });
  }

  protected titleOf(question: Question): string {
    return `Layers of ${fileName(question.state.model)}: what each weighs, computes and takes`;
  }

  protected async ask(question: Question): Promise<LayersAnswer> {
    const weigh = askWeigh(weighRequest(question.state, question.text));
    const operations = await operationsFor(question).catch(() => []);
    return { weigh: await weigh, operations };
  }

  protected draw(_: Question, { weigh, operations }: LayersAnswer): void {
    this.rows = layerRows(weigh, operations);
    const timed = this.rows.some((row) => (row.seconds ?? 0) > 0);
    if (!timed && this.measure === 'seconds') this.measure = this.sorted = 'macs';
    const search = h('input', {
      type: 'search',
      placeholder: 'search: a name or an operation',
      'aria-label': 'Search the layers',
    });
    search.value = this.query;
    search.addEventListener('input', () => {
      this.query = search.value;
      this.tell();
    });
    const flops =
      weigh.mode === 'train' ? `${large(weigh.train_flops)}FLOP a step` : `${large(weigh.flops)}FLOP a pass`;
    fill(
      this.place,
      h(
        'p',
        { class: 'weight' },
        `${count(weigh.params)} parameters · ${flops} · ${count(weigh.layers.length)} layers`,
      ),
      h(
        'div',
        { class: 'chips', role: 'group', 'aria-label': 'Area of the map' },
        ...measures.filter(([name]) => timed || name !== 'seconds').map(([name, title]) => this.choose(name, title)),
      ),
      this.verdict,
      this.colours,
      this.drawing.element,
      this.strip.element,
      h('div', { class: 'search' }, search),
      this.list,
    );
    this.tell();
    this.strip.show(
      operations,
      this.rows.map((row) => row.name),
    );
  }

  private choose(name: Measure, title: string): HTMLElement {
    return button(
      title,
      () => {
        this.measure = this.sorted = name;
        for (const chip of this.place.querySelectorAll('[data-measure]'))
          chip.setAttribute('aria-pressed', (chip as HTMLElement).dataset.measure === name ? 'true' : 'false');
        this.tell();
      },
      { class: 'chip', 'data-measure': name, 'aria-pressed': name === this.measure ? 'true' : 'false' },
    );
  }

  private tell(): void {
    const kinds = [...new Set(this.rows.filter((row) => (row[this.measure] ?? 0) > 0).map((row) => row.kind))];
    fill(this.colours, legend(kinds.map((kind) => [kindColour(kind), kindName(kind)])));
    const [, title, show] = measures.find(([name]) => name === this.measure)!;
    const what = title === 'MACs' ? title : title.toLowerCase();
    this.verdict.textContent = halfOf(
      this.rows.map((row) => row[this.measure] ?? 0),
      what,
    );
    this.drawing.show(
      (width) => [drawMap(this.rows, this.measure, width, show)],
      `Area: ${what} of a layer${this.measure === 'seconds' ? ', all of its operations together' : ''}.`,
    );
    this.tellTable();
  }

  private tellTable(): void {
    const query = this.query.toLowerCase();
    const found = this.rows.filter((row) => `${row.name} ${row.op}`.toLowerCase().includes(query));
    found.sort((a, b) => (b[this.sorted] ?? -1) - (a[this.sorted] ?? -1));
    const shown = this.all ? found : found.slice(0, rowsAtFirst);
    const more =
      found.length > shown.length
        ? button(`Show all ${count(found.length)}`, () => this.showAll(), { class: 'chip' })
        : null;
    fill(this.list, scroller('Layers', this.table(shown)), more ?? h('span'));
  }

  private showAll(): void {
    this.all = true;
    this.tellTable();
  }

  private table(rows: LayerRow[]): HTMLElement {
    const whole = (name: Measure): number => this.rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
    const shown = measures.filter(([name]) => name !== 'seconds' || whole(name) > 0);
    const heads = shown.map(([name, title]) => {
      const sort = button(title, () => {
        this.sorted = name;
        this.tellTable();
      });
      return h('th', { scope: 'col', 'aria-sort': this.sorted === name ? 'descending' : 'none' }, sort);
    });
    const cells = (row: LayerRow): HTMLElement[] =>
      shown.map(([name, , show]) => {
        const value = row[name];
        const share = value === null || whole(name) === 0 ? '' : ` · ${percent(value / whole(name))}`;
        return h('td', {}, value === null ? '–' : `${show(value)}${share}`);
      });
    return h(
      'table',
      { class: 'layers' },
      h('caption', {}, `Layers, the largest first${shown.length < measures.length ? '' : leads}`),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Layer'), ...heads, h('th', { scope: 'col' }, 'Output'))),
      h(
        'tbody',
        {},
        ...rows.map((row) =>
          h('tr', { 'data-layer': row.name }, h('td', {}, this.nameOf(row)), ...cells(row), h('td', {}, row.shape)),
        ),
      ),
    );
  }

  private nameOf(row: LayerRow): HTMLElement {
    const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
    swatch.style.background = kindColour(row.kind);
    const link =
      row.seconds === null
        ? h('span', {}, row.name)
        : button(row.name, () => this.point(row.name), { class: 'link', title: 'Where it is in the step' });
    return h('span', {}, swatch, link, h('span', { class: 'note' }, ` ${row.op}`));
  }
}

// "Half of the time is in 23 of 175 layers."
function halfOf(sizes: number[], what: string): string {
  const sorted = [...sizes].sort((a, b) => b - a);
  const half = sorted.reduce((sum, size) => sum + size, 0) / 2;
  let [few, sum] = [0, 0];
  while (few < sorted.length && sum < half) sum += sorted[few++]!;
  return few === 0 ? '' : `Half of the ${what} is in ${count(few)} of ${count(sorted.length)} layers.`;
}

async function operationsFor({ state, kind, text }: Question): Promise<LayerOperation[]> {
  const request = fitRequest(state, kind, text);
  if (kind === 'serving') return [];
  return kind === 'tokens' ? operationsOfTokens(await askTokenStep(request)) : operationsOf(await askStep(request));
}

// The whole name, else what stands after its first parts.
function names(name: string): string[] {
  const parts = name.split('.');
  return parts.map((_, i) => parts.slice(i).join('.'));
}

function drawMap(rows: LayerRow[], measure: Measure, width: number, show: (value: number) => string): SVGSVGElement {
  const counted = rows
    .filter((row) => (row[measure] ?? 0) > 0)
    .sort((a, b) => (b[measure] ?? 0) - (a[measure] ?? 0))
    .slice(0, 400);
  const height = width < 600 ? 300 : 260;
  const boxes = treemap(
    counted.map((row) => row[measure] ?? 0),
    { x: 0, y: 0, width, height },
  );
  const svg = picture(width, height, `Layers by ${measure}, ${counted.length} of them`);
  counted.forEach((row, i) => {
    const { x, y, width: wide, height: high } = boxes[i]!;
    const size = { width: Math.max(0, wide - 1), height: Math.max(0, high - 1) };
    const box = s('rect', { class: 'cell', 'data-layer': row.name, x, y, ...size });
    box.style.fill = kindColour(row.kind);
    svg.append(tip(box, `${row.name} (${row.op}): ${show(row[measure] ?? 0)}`));
    const fits = names(row.name).find((name) => /[a-z]/i.test(name) && wide > name.length * 6.6 + 8);
    if (fits && high > 18) svg.append(text(x + 5, y + 15, fits, 'start', 'cell-name'));
  });
  return svg;
}
