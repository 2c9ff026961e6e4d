// Areas in proportion to numbers, as square as they can be (Bruls, Huizing, van Wijk 2000).

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function worst(row: number[], side: number): number {
  const sum = row.reduce((a, b) => a + b, 0);
  const [most, least] = [Math.max(...row), Math.min(...row)];
  return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
}

// `values`: above 0, the largest first. The boxes are in the same order.
export function treemap(values: number[], whole: Box): Box[] {
  const sum = values.reduce((a, b) => a + b, 0);
  const scale = (whole.width * whole.height) / (sum || 1);
  const areas = values.map((value) => value * scale);
  const boxes: Box[] = [];
  let rest = { ...whole };
  for (let at = 0; at < areas.length;) {
    const side = Math.max(1e-6, Math.min(rest.width, rest.height));
    const row = [areas[at]!];
    while (at + row.length < areas.length && worst([...row, areas[at + row.length]!], side) <= worst(row, side))
      row.push(areas[at + row.length]!);
    const thick = row.reduce((a, b) => a + b, 0) / side;
    let along = 0;
    for (const area of row) {
      const long = area / thick;
      const upright = rest.width >= rest.height;
      boxes.push(
        upright
          ? { x: rest.x, y: rest.y + along, width: thick, height: long }
          : { x: rest.x + along, y: rest.y, width: long, height: thick },
      );
      along += long;
    }
    if (rest.width >= rest.height) rest = { ...rest, x: rest.x + thick, width: rest.width - thick };
    else rest = { ...rest, y: rest.y + thick, height: rest.height - thick };
    at += row.length;
  }
  return boxes;
}
