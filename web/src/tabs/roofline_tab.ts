// Roofline: how often each operation uses a byte that it moves, and how fast it is predicted to run, under the roof of
// what the device computes and moves. The area of a dot is its share of the time.
import { askStep, askTokenStep, type Step, type TokenStep } from '../base/api';
import { fill, h } from '../base/dom';
import { fitRequest } from '../base/job';
import { type Question, subjectOf } from '../base/question';
import { large, percent, seconds, short } from '../base/units';
import { axes, frame } from '../draw/axes';
import { legend } from '../draw/legend';
import { kindColour, kindName } from '../draw/palette';
import { logarithmic, logTicks } from '../draw/scale';
import { picture, s, text, tip } from '../draw/svg';
import { TabView } from './tab_view';

interface Roof {
  peak: number | undefined;
  bandwidth: number | undefined;
  points: Point[];
  without: number; // share of the time of what computes next to nothing, and has no dot
}

interface Point {
  name: string;
  kind: string;
  intensity: number;
  rate: number;
  seconds: number;
}

export class RooflineTab extends TabView<Roof> {
  constructor() {
    super('roofline');
  }

  protected why(question: Question): string {
    return question.kind === 'serving'
      ? 'Serving is bound by memory, token by token: see “Serve”. Choose “Infer” for the roofline of a pass.'
      : '';
  }

  protected titleOf(question: Question): string {
    return `Roofline: ${subjectOf(question)}, on ${question.where}`;
  }

  protected async ask(question: Question): Promise<Roof> {
    const request = fitRequest(question.state, question.kind, question.text);
    return question.kind === 'tokens' ? roofOfTokens(await askTokenStep(request)) : roofOf(await askStep(request));
  }

  protected draw(_: Question, { peak, bandwidth, points, without }: Roof): void {
    if (!peak || !bandwidth || points.length === 0)
      return fill(
        this.place,
        h(
          'p',
          { class: 'nothing' },
          'The speed of this device is not known. On this machine “plimsoll probe” measures it.',
        ),
      );
    const kinds = [...new Set(points.map((point) => point.kind))];
    const whole = points.reduce((sum, point) => sum + point.seconds, 0);
    const computing = points.filter(({ intensity }) => intensity * bandwidth >= peak);
    const arithmetic = (computing.reduce((sum, point) => sum + point.seconds, 0) / whole) * (1 - without);
    const verdict = `Arithmetic limits ${percent(arithmetic)} of the time, memory ${percent(1 - arithmetic)}.`;
    const above = points.filter((point) => point.rate > Math.min(peak, point.intensity * bandwidth) * 1.02);
    const notes = [
      `Left of the ridge memory is the limit (${large(bandwidth)}B/s), right of it arithmetic (${large(peak)}FLOP/s).`,
      'A dot is an operation of the step, its area its share of the time. ' +
        'One far below the roof is small: starting it takes longer than computing it.',
    ];
    if (without > 0.005)
      notes.push(
        `${percent(without)} of the time goes into norms, rotations, sums and copies, which have no dot: ` +
          'they are as fast as the memory.',
      );
    if (above.length > 0)
      notes.push(
        `${above.length} ${above.length === 1 ? 'dot is' : 'dots are'} above the roof: operations are counted as the ` +
          'textbook has them, and Winograd or FFT ' +
          'convolutions do fewer; bytes that stay in a cache are not moved again.',
      );
    fill(
      this.place,
      h('p', { class: 'tab-verdict' }, verdict),
      legend(kinds.map((kind) => [kindColour(kind), kindName(kind)])),
      this.drawing.element,
      h('ul', { class: 'notes' }, ...notes.map((note) => h('li', {}, note))),
    );
    this.drawing.show((width) => [drawn(points, peak, bandwidth, width)]);
  }
}

function roofOf(step: Step): Roof {
  const points = step.operations
    .filter((each) => (each.seconds ?? 0) > 0 && each.flops > 0 && each.moved_bytes > 0)
    .map((each) => ({
      name: each.name,
      kind: each.kind,
      intensity: each.flops / each.moved_bytes,
      rate: each.flops / each.seconds!,
      seconds: each.seconds!,
    }));
  return { peak: step.peak_flops_per_second, bandwidth: step.bytes_per_second, points, without: 0 };
}

// A dot stands for the same operation of all blocks that are alike.
function roofOfTokens(step: TokenStep): Roof {
  const kernels = step.kernels ?? [];
  const whole = kernels.reduce((sum, each) => sum + each.seconds, 0);
  const computing = kernels.filter((each) => each.flops > 0 && each.moved_bytes > 0);
  const drawn = computing.reduce((sum, each) => sum + each.seconds, 0);
  return {
    peak: step.peak_flops_per_second,
    bandwidth: step.bytes_per_second,
    points: computing.map((each) => ({
      name: each.count > 1 ? `${each.name}, and ${each.count - 1} like it` : each.name,
      kind: each.kind,
      intensity: each.flops / each.moved_bytes,
      rate: each.flops / each.seconds,
      seconds: each.seconds,
    })),
    without: whole > 0 ? 1 - drawn / whole : 0,
  };
}

function drawn(points: Point[], peak: number, bandwidth: number, width: number): SVGSVGElement {
  const at = frame(width, width < 500 ? 340 : 400, 70);
  const ridge = peak / bandwidth;
  const least = Math.min(...points.map((point) => point.intensity), ridge / 20);
  const most = Math.max(...points.map((point) => point.intensity), ridge * 10);
  const low = Math.max(Math.min(...points.map((point) => point.rate)), peak * 1e-7) / 2;
  const high = Math.max(peak, ...points.map((point) => point.rate)) * 2;
  const x = logarithmic(
    least / 1.5,
    most * 1.5,
    at.left,
    width - at.right,
    logTicks(least / 1.5, most * 1.5, width < 500 ? 4 : 8),
  );
  const y = logarithmic(low, high, at.height - at.bottom, at.top, logTicks(low, high, 6));
  const whole = points.reduce((sum, point) => sum + point.seconds, 0);
  const svg = picture(
    width,
    at.height,
    `Roofline: ${points.length} operations, ridge at ${ridge.toPrecision(3)} FLOP a byte`,
  );
  svg.append(axes(at, x, y, ['FLOP for each byte that is moved', 'FLOP/s'], [short, short]));
  const start = x.at(least / 1.5);
  const roof = `M${start} ${y.at((least / 1.5) * bandwidth)}L${x.at(ridge)} ${y.at(peak)}H${width - at.right}`;
  svg.append(
    s('path', { class: 'roof', d: roof }),
    s('line', { class: 'ridge', x1: x.at(ridge), x2: x.at(ridge), y1: y.at(peak), y2: at.height - at.bottom }),
  );
  const biggest = [...points].sort((a, b) => b.seconds - a.seconds);
  for (const point of biggest) {
    const radius = Math.min(26, Math.max(3, Math.sqrt(point.seconds / whole) * 75));
    const dot = s('circle', {
      class: 'dot',
      cx: x.at(point.intensity),
      cy: y.at(Math.max(point.rate, low)),
      r: radius,
    });
    dot.style.fill = kindColour(point.kind);
    svg.append(tip(dot, `${point.name}: ${seconds(point.seconds)}, ${percent(point.seconds / whole)} of the time`));
  }
  svg.append(
    text(width - at.right - 4, y.at(peak) - 8, `${large(peak)}FLOP/s`, 'end', 'halo roof-text'),
    text(
      x.at(ridge) + (x.at(ridge) > width * 0.6 ? -6 : 6),
      at.height - at.bottom - 8,
      `ridge ${ridge.toPrecision(3)} FLOP a byte`,
      x.at(ridge) > width * 0.6 ? 'end' : 'start',
      'halo',
    ),
  );
  return svg;
}
