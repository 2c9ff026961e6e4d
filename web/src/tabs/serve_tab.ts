// Serve: how many sequences of which length fit, and what more of them at once bring and cost.
import { askFit, askPlace, type FitServing, type PlaceServing } from '../base/api';
import { fill, h, scroller, table } from '../base/dom';
import { fitRequest, placeRequest } from '../base/job';
import type { Question } from '../base/question';
import { amount, count, dollars, seconds } from '../base/units';
import { fileName, plain } from '../base/words';
import { axes, frame } from '../draw/axes';
import { logarithmic } from '../draw/scale';
import { beside, picture, s, tip } from '../draw/svg';
import { TabView } from './tab_view';

const contexts = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072];
const together = [1, 2, 4, 8, 16, 32, 64, 128, 256];

interface Served {
  fits: FitServing[];
  places: PlaceServing[];
  most: number; // sequences of the context that is asked for
}

export class ServeTab extends TabView<Served> {
  constructor() {
    super('serve');
  }

  protected why(question: Question): string {
    if (!question.text) return 'Serving is about networks that write text: choose a language model.';
    return question.state.mode === 'generate'
      ? ''
      : 'Choose “Serve” above to see how many sequences fit, how fast they are written and what they cost.';
  }

  protected titleOf({ state, where }: Question): string {
    return `How many sequences of which length fit: ${fileName(state.model)}, on ${where}`;
  }

  protected async ask(question: Question): Promise<Served> {
    const fit = fitRequest(question.state, 'serving', true);
    const place = placeRequest(question.state, 'serving', true);
    const fits = contexts.map((context) => askFit({ ...fit, context, brief: true }) as Promise<FitServing>);
    const places = together.map((concurrency) => askPlace({ ...place, concurrency }) as Promise<PlaceServing>);
    const now = (await askFit({ ...fit, brief: true })) as FitServing;
    return { fits: await Promise.all(fits), places: await Promise.all(places), most: now.largest_concurrency };
  }

  protected draw(question: Question, { fits, places, most }: Served): void {
    const context = count(Number(question.state.context));
    const rows = places.map((place, i) => {
      const at = place.ranking[0];
      return [
        count(together[i]!),
        together[i]! <= most ? 'yes' : 'no',
        at ? amount(at.tokens_per_second) : '–',
        at ? amount(at.tokens_per_second_each) : '–',
        at ? seconds(at.seconds_to_first_token) : '–',
        at?.cost_per_million_tokens ? dollars(at.cost_per_million_tokens.input) : '–',
        at?.cost_per_million_tokens ? dollars(at.cost_per_million_tokens.output) : '–',
      ];
    });
    const heads = [
      'At once',
      `${context} tokens fit`,
      'Tokens/s, all',
      'Tokens/s, each',
      'First token',
      'A million read',
      'A million written',
    ];
    const [prompt, output] = [Number(question.state.prompt), Number(question.state.output)];
    const title = `Prompts of ${count(prompt)} tokens, answers of ${count(output)}`;
    const verdict =
      most === 0
        ? `Not one sequence of ${context} tokens fits.`
        : `Up to ${count(most)} ${most === 1 ? 'sequence' : 'sequences'} of ${context} tokens fit at once.`;
    fill(
      this.place,
      h('p', { class: 'tab-verdict' }, verdict),
      this.drawing.element,
      scroller(
        'By concurrency',
        table(heads, rows, title, (i) =>
          together[i] === question.state.concurrency ? 'chosen' : together[i]! <= most ? '' : 'past-line',
        ),
      ),
      h('ul', { class: 'notes' }, ...(places[0]?.notes ?? []).map((note) => h('li', {}, plain(note)))),
    );
    this.drawing.show(
      (width) => [drawn(fits, question, width)],
      'Below the line everything fits; above it the cache of keys and values is too large.',
    );
  }
}

// As people say it: 4k for 4,096.
const tokensText = (tokens: number): string => (tokens < 1024 ? `${tokens}` : `${tokens / 1024}k`);

function drawn(fits: FitServing[], question: Question, width: number): SVGSVGElement {
  const at = frame(width, 320, 60);
  const points = fits.filter((fit) => fit.largest_concurrency > 0);
  const [context, now] = [Number(question.state.context), question.state.concurrency];
  const most = Math.max(2, now, ...points.map((fit) => fit.largest_concurrency));
  const x = logarithmic(
    contexts[0]!,
    contexts[contexts.length - 1]!,
    at.left,
    width - at.right - 20,
    width < 500 ? [512, 4096, 32768] : contexts,
  );
  const y = logarithmic(0.8, most * 1.5, at.height - at.bottom, at.top);
  const svg = picture(
    width,
    at.height,
    `Most sequences by context, ${points.map((fit) => `${fit.context}: ${fit.largest_concurrency}`).join(', ')}`,
  );
  const path = points
    .map((fit, i) => `${i === 0 ? 'M' : 'L'}${x.at(fit.context)} ${y.at(fit.largest_concurrency)}`)
    .join('');
  if (points.length > 1) {
    const ground = at.height - at.bottom;
    svg.append(s('path', { class: 'under', d: `${path}V${ground}H${x.at(points[0]!.context)}Z` }));
  }
  svg.append(
    axes(at, x, y, ['tokens of a sequence', 'sequences at once'], [tokensText, count]),
    s('path', { class: 'load-curve', d: path }),
  );
  for (const fit of points)
    svg.append(
      tip(
        s('circle', { class: 'place best', cx: x.at(fit.context), cy: y.at(fit.largest_concurrency), r: 4 }),
        `${count(fit.context)} tokens: ${count(fit.largest_concurrency)} sequences`,
      ),
    );
  if (context >= contexts[0]!) {
    const [left, high] = [x.at(Math.min(context, contexts[contexts.length - 1]!)), y.at(now)];
    svg.append(
      s('circle', { class: 'place chosen', cx: left, cy: high, r: 6 }),
      beside(left, high - 8, `yours: ${count(now)} × ${count(context)}`, at.left, width),
    );
  }
  return svg;
}
