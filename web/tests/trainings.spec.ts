// Trainings: a real one that runs, its curves as they grow, and stopping it from the page.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, open, program, test } from './served';

// Twelve by twelve pixels, ten classes, a few hundred samples: an IDX set that is learnt in no time.
function writeSet(folder: string): string {
  const set = join(folder, 'set');
  mkdirSync(set, { recursive: true });
  const [samples, side] = [600, 12];
  const head = (...sizes: number[]) => {
    const bytes = Buffer.alloc(4 + 4 * sizes.length);
    bytes.set([0, 0, 8, sizes.length]);
    sizes.forEach((size, i) => bytes.writeUInt32BE(size, 4 + 4 * i));
    return bytes;
  };
  for (const [part, count] of [['train', samples], ['t10k', 100]] as const) {
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

function train(folder: string, name: string): ChildProcess {
  const flags = ['--data', writeSet(folder), '--epochs', '100000', '--batch', '16', '--threads', '1', '--quiet'];
  return spawn(program, ['train', 'mlp', ...flags, '--run-dir', join(folder, 'runs', name)], { stdio: 'ignore' });
}

async function stepOf(page: Page): Promise<number> {
  const row = page.locator('.run .figures > div').filter({ has: page.locator('dt', { hasText: /^Step$/ }) });
  return Number(((await row.locator('dd').textContent()) ?? '').replaceAll(',', ''));
}

test('a training is watched as it goes on, and stopped', async ({ page, served }) => {
  const training = train(served.folder, 'watched');
  const ended = new Promise<number | null>((done) => training.once('exit', done));
  await open(page, served, 'tab=trainings');
  await page.locator('.runs button', { hasText: 'watched' }).click();
  await expect(page.locator('.runs .running')).toHaveText('running');
  await expect.poll(() => stepOf(page)).toBeGreaterThan(0);
  const first = await stepOf(page);
  await expect.poll(() => stepOf(page)).toBeGreaterThan(first); // the curves grow
  await expect(page.locator('.run canvas')).toHaveCount(4);
  await page.getByRole('button', { name: 'Stop and save' }).click();
  await expect(page.locator('.run .verdict')).toContainText('saves and stops');
  expect(await ended).toBe(130); // interrupted, and saved
  await expect(page.locator('.runs .past')).toHaveText('ended');
  await expect(page.getByRole('button', { name: 'Stop and save' })).toBeHidden();
});

test('a training does not mind that its page is closed', async ({ page, served, context }) => {
  const training = train(served.folder, 'unminded');
  await open(page, served, 'tab=trainings');
  await page.locator('.runs button', { hasText: 'unminded' }).click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(0);
  const run = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('run');
  await page.close();
  expect(training.exitCode).toBeNull();
  const again = await context.newPage();
  await open(again, served, `tab=trainings&run=${run}`); // a link to a run
  await expect(again.locator('.run h2')).toHaveText('unminded');
  training.kill('SIGINT');
  await new Promise((done) => training.once('exit', done));
  await expect(again.locator('.run .danger')).toBeHidden();
});
