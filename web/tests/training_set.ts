// Twelve by twelve pixels, ten classes, a few hundred samples: an IDX set that is learnt in no time.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function writeSet(folder: string): string {
  const set = join(folder, 'set');
  mkdirSync(set, { recursive: true });
  const [samples, side] = [600, 12];
  const head = (...sizes: number[]) => {
    const bytes = Buffer.alloc(4 + 4 * sizes.length);
    bytes.set([0, 0, 8, sizes.length]);
    sizes.forEach((size, i) => bytes.writeUInt32BE(size, 4 + 4 * i));
    return bytes;
  };
  for (const [part, count] of [
    ['train', samples],
    ['t10k', 100],
  ] as const) {
    const pixels = Buffer.alloc(count * side * side, 0);
    const labels = Buffer.alloc(count);
    for (let i = 0; i < count; i += 1) {
      labels[i] = i % 10;
      pixels.fill(25 * (i % 10), i * side * side, (i + 1) * side * side);
    }
    writeFileSync(join(set, `${part}-images-idx3-ubyte`), Buffer.concat([head(count, side, side), pixels]));
    writeFileSync(join(set, `${part}-labels-idx1-ubyte`), Buffer.concat([head(count), labels]));
  }
  return set;
}
