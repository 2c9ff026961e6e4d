// Devices: the whole catalog, time against money, with the frontier that nobody beats in both, the chosen device and
// the verdict's marked.
import { askPlace, type AnyPlace, type Choices } from '../base/api';
import { button, fill, h, scroller, table } from '../base/dom';
import { catalogRequest } from '../base/job';
import type { Question } from '../base/question';
import { amount, bytes, dollars, roundDollars, roundSeconds, seconds } from '../base/units';
import { fileName, nameOf, plain } from '../base/words';
import { axes, frame } from '../draw/axes';
import { legend } from '../draw/legend';
import { logarithmic, timeTicks } from '../draw/scale';
import { beside, picture, s, tip } from '../draw/svg';
import { TabView } from './tab_view';

interface Row {
  device: string;
  kind: string;
  fits: boolean;
  time: number;
  cost: number | null;
  memory: number;
  speed: number;
  price: string;
  why: string;
}

const rowsAtFirst = 12;
const dots: [colour: string, name: string][] = [
  ['var(--second)', 'yours'],
  ['var(--good)', 'the verdict'],
  ['var(--accent)', 'no other is quicker and cheaper'],
  ['var(--control)', 'the rest'],
];

export class DevicesTab extends TabView<AnyPlace> {
  private all = false;

  private readonly sources: Map<string, string[]>;

  constructor(
    choices: Choices,
    private readonly choose: (device: string) => void,
  ) {
    super('devices');
    this.sources = new Map(choices.devices.map((device) => [device.name, device.sources]));
  }

  protected titleOf({ state, kind }: Question): string {
    const what = kind === 'serving' ? 'to serve' : state.mode === 'train' ? 'to train' : 'to run';
    return `Devices ${what} ${fileName(state.model)}: time against money`;
  }

  protected ask(question: Question): Promise<AnyPlace> {
    return askPlace(catalogRequest(question.state, question.kind, question.text));
  }

  protected draw(question: Question, place: AnyPlace): void {
    const rows = rowsOf(place);
    const fitting = rows.filter((row) => row.fits && row.time > 0);
    const priced = fitting.filter((row) => row.cost !== null && row.cost > 0);
    const served = question.kind === 'serving';
    const [timeName, costName] = served
      ? ['seconds a token', 'USD a million tokens']
      : ['time of the job', 'cost of the job'];
    const verdict =
      place.verdict.choice === '' ? 'Nothing in the catalog carries it.' : `Take ${place.verdict.choice}.`;
    const marks = { chosen: question.state.device, verdict: place.verdict.choice };
    fill(
      this.place,
      h('p', { class: 'tab-verdict' }, verdict),
      h('ul', { class: 'notes' }, ...place.verdict.reasons.map((reason) => h('li', {}, plain(reason)))),
      priced.length < 2 ? null : legend(dots),
      this.drawing.element,
      this.list(rows, marks, question),
      this.sourcesOf([marks.chosen, marks.verdict]),
      h('ul', { class: 'notes' }, ...place.notes.map((note) => h('li', {}, plain(note)))),
    );
    const caption =
      `${priced.length} devices that carry it and have a price, each at its own largest batch; ` +
      `${fitting.length - priced.length} carry it without one, ${rows.length - fitting.length} do not carry it.` +
      whyNotTheFrontier(priced, marks.verdict);
    this.drawing.show(
      (width) => (priced.length < 2 ? [] : [drawn(priced, marks, width, timeName!, costName!)]),
      caption,
    );
  }

  private list(rows: Row[], marks: { chosen: string; verdict: string }, { kind, sample }: Question): HTMLElement {
    const served = kind === 'serving';
    const ranked = rows.filter((row) => row.fits);
    const asked = rows.findIndex((row) => row.device === marks.chosen);
    const shown = this.all ? rows : ranked.slice(0, rowsAtFirst);
    for (const name of [marks.verdict, marks.chosen]) {
      const row = rows.find((each) => each.device === name);
      if (row && !shown.includes(row)) shown.push(row);
    }
    const cells = shown.map((row) => [
      `${rows.indexOf(row) + 1}`,
      h(
        'span',
        {},
        button(row.device, () => this.choose(row.device), {
          class: 'link',
          title: (this.sources.get(row.device) ?? []).join('\n'),
        }),
        marksOf(row, marks),
      ),
      row.fits ? seconds(row.time) : 'does not fit',
      row.cost === null ? '–' : dollars(row.cost),
      row.speed > 0 ? amount(row.speed) : '–',
      bytes(row.memory),
      row.price,
    ]);
    const heads = [
      'Rank',
      'Device',
      served ? 'A token' : 'The job',
      served ? 'A million' : 'Cost',
      served || rows[0]?.kind === 'tokens' ? 'Tokens/s' : `${nameOf(sample)}s/s`,
      'Memory',
      'Price',
    ];
    const body = scroller(
      'Devices',
      table(heads, cells, 'Devices by time', (i) =>
        shown[i]!.device === marks.chosen ? 'chosen' : shown[i]!.device === marks.verdict ? 'taken' : '',
      ),
    );
    const more = this.all ? null : button(`Show all ${rows.length}`, () => this.showAll(), { class: 'chip' });
    const rank = asked < 0 ? '' : `${marks.chosen} is ${asked + 1} of ${rows.length} by time.`;
    return h('div', {}, h('p', { class: 'rank' }, rank), body, more);
  }

  // Where the figures of the devices in question come from.
  private sourcesOf(devices: string[]): HTMLElement {
    const rows = [...new Set(devices)].flatMap((device) => {
      const known = this.sources.get(device) ?? [];
      return known.length === 0 ? [] : [h('li', {}, h('b', {}, device), `: ${known.join(' · ')}`)];
    });
    if (rows.length === 0) return h('span');
    const title = h('h3', {}, 'Where the figures come from');
    return h('div', { class: 'sources' }, title, h('ul', { class: 'notes' }, ...rows));
  }

  private showAll(): void {
    this.all = true;
    this.again();
  }
}

function marksOf(row: Row, marks: { chosen: string; verdict: string }): HTMLElement {
  const words = [row.device === marks.chosen ? 'yours' : '', row.device === marks.verdict ? 'the verdict' : ''].filter(
    (word) => word !== '',
  );
  return h('span', { class: 'badge' }, words.join(', '));
}

function rowsOf(place: AnyPlace): Row[] {
  return place.ranking.map((at): Row => {
    const common = {
      device: at.device,
      kind: at.kind,
      fits: at.fits,
      memory: at.peak_bytes,
      price: at.price ? plain(at.price) : '',
      why: '',
    };
    if ('seconds_per_token' in at)
      return {
        ...common,
        time: at.seconds_per_token,
        cost: at.cost_per_million_tokens?.output ?? null,
        speed: at.tokens_per_second,
      };
    if ('tokens_per_second' in at)
      return { ...common, time: at.total_seconds, cost: at.cost, speed: at.tokens_per_second, kind: 'tokens' };
    return { ...common, time: at.total_seconds, cost: at.cost, speed: at.samples_per_second };
  });
}

// Those that no other beats in both.
function frontier(rows: Row[]): Row[] {
  const sorted = [...rows].sort((a, b) => a.time - b.time || a.cost! - b.cost!);
  let cheapest = Infinity;
  return sorted.filter((row) => {
    if (row.cost! >= cheapest) return false;
    cheapest = row.cost!;
    return true;
  });
}

// The verdict is about what is rented: what is bought has no host yet, and costs its price over some years.
function whyNotTheFrontier(priced: Row[], verdict: string): string {
  const taken = priced.find(({ device }) => device === verdict);
  if (!taken?.price.startsWith('rented') || frontier(priced).includes(taken)) return '';
  return ' The verdict is about those that are rented; what beats it in both is bought, and still needs a host.';
}

function drawn(
  rows: Row[],
  marks: { chosen: string; verdict: string },
  width: number,
  timeName: string,
  costName: string,
): SVGSVGElement {
  const at = frame(width, 360, 78);
  const times = rows.map((row) => row.time);
  const costs = rows.map((row) => row.cost!);
  const x = logarithmic(
    Math.min(...times) / 1.3,
    Math.max(...times) * 1.3,
    at.left,
    width - at.right,
    timeTicks(Math.min(...times) / 1.3, Math.max(...times) * 1.3),
  );
  const y = logarithmic(Math.min(...costs) / 1.4, Math.max(...costs) * 1.4, at.height - at.bottom, at.top);
  const svg = picture(width, at.height, `${rows.length} devices, ${timeName} against ${costName}`);
  svg.append(axes(at, x, y, [timeName, costName], [roundSeconds, roundDollars]));
  const best = frontier(rows);
  svg.append(
    s('path', {
      class: 'frontier',
      d: best.map((row, i) => `${i === 0 ? 'M' : 'L'}${x.at(row.time)} ${y.at(row.cost!)}`).join(''),
    }),
  );
  const named = new Set([marks.chosen, marks.verdict]);
  for (const row of [...rows].sort((a, b) => Number(named.has(a.device)) - Number(named.has(b.device)))) {
    const special =
      row.device === marks.chosen
        ? ' chosen'
        : row.device === marks.verdict
          ? ' taken'
          : best.includes(row)
            ? ' best'
            : '';
    const dot = s('circle', { class: `place${special}`, cx: x.at(row.time), cy: y.at(row.cost!), r: special ? 6 : 4 });
    svg.append(tip(dot, `${row.device}: ${seconds(row.time)}, ${dollars(row.cost!)}`));
    if (!named.has(row.device)) continue;
    const words = row.device === marks.chosen || width < 500 ? row.device : `${row.device}, the verdict`;
    svg.append(beside(x.at(row.time), y.at(row.cost!) - 7, words, at.left, width));
  }
  return svg;
}
