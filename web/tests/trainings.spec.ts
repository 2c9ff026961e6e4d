// Trainings: a real one that runs, its curves as they grow, and stopping it from the page.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, open, program, test } from './served';
import { writeSet } from './training_set';

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
  await expect(page).toHaveURL(/run=\d+/);
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
