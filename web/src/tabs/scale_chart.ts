// Speed by the number of devices, both logarithmic, beside the line that no communication would cost.
import { count, short } from '../base/units';
import { axes, frame } from '../draw/axes';
import { logarithmic } from '../draw/scale';
import { picture, s, text, tip } from '../draw/svg';

export interface ScalePoint {
  workers: number;
  speed: number;
  efficiency: number;
  fits: boolean;
}

export function scaleChart(points: ScalePoint[], knee: number | null, unit: string, width: number): SVGSVGElement {
  const at = frame(width, 340, 74);
  const first = points.find((point) => point.speed > 0) ?? points[0]!;
  const most = Math.max(...points.map((point) => point.workers), 2);
  const least = Math.min(...points.map((point) => point.workers));
  const one = first.speed / first.workers;
  const low = Math.min(...points.filter((point) => point.speed > 0).map((point) => point.speed)) / 1.5;
  const high = one * most * 1.5;
  const every = points.map((point) => point.workers).filter((workers) => Number.isInteger(Math.log2(workers)));
  const x = logarithmic(least, most, at.left + 10, width - at.right - 24, every.length > 1 ? every : [least, most]);
  const y = logarithmic(low, high, at.height - at.bottom, at.top);
  const svg = picture(width, at.height, `Speed of ${least} to ${count(most)} devices in ${unit}`);
  svg.append(axes(at, x, y, ['devices', unit], [count, short]));
  svg.append(
    s('path', { class: 'ideal', d: `M${x.at(least)} ${y.at(one * least)}L${x.at(most)} ${y.at(one * most)}` }),
  );
  svg.append(text(x.at(most) - 4, y.at(one * most) + (width < 500 ? -8 : -6), 'ideal', 'end', 'halo soft'));
  const path = points.filter((point) => point.speed > 0);
  svg.append(
    s('path', {
      class: 'measured',
      d: path.map((point, i) => `${i === 0 ? 'M' : 'L'}${x.at(point.workers)} ${y.at(point.speed)}`).join(''),
    }),
  );
  for (const point of path) {
    const dot = s('circle', {
      class: point.workers === knee ? 'place chosen' : point.fits ? 'place best' : 'place',
      cx: x.at(point.workers),
      cy: y.at(point.speed),
      r: point.workers === knee ? 7 : 4.5,
    });
    svg.append(
      tip(
        dot,
        `${count(point.workers)}: ${short(point.speed)} ${unit}, ${Math.round(point.efficiency * 100)} % of ideal`,
      ),
    );
  }
  const bend = path.find((point) => point.workers === knee);
  if (bend)
    svg.append(
      text(
        x.at(bend.workers),
        y.at(bend.speed) + 24,
        `knee at ${count(bend.workers)}`,
        x.at(bend.workers) > width * 0.7 ? 'end' : 'start',
        'halo',
      ),
    );
  return svg;
}
