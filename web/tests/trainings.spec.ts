// Trainings: a real one that runs, its curves as they grow, and stopping it from the page.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { copiedBy, expect, open, program, test } from './served';
import { writeSet } from './training_set';

const begun: ChildProcess[] = [];

// No training outlives its test: the next one would have to share the machine with it.
test.afterEach(async () => {
  for (const training of begun.splice(0)) {
    if (training.exitCode !== null || training.signalCode !== null) continue;
    const ended = new Promise((done) => training.once('exit', done));
    training.kill('SIGKILL');
    await ended;
  }
});

function train(folder: string, name: string): ChildProcess {
  const flags = ['--data', writeSet(folder), '--epochs', '100000', '--batch', '16', '--threads', '1', '--quiet'];
  const training = spawn(program, ['train', 'mlp', ...flags, '--run-dir', join(folder, 'runs', name)], {
    stdio: 'ignore',
  });
  begun.push(training);
  return training;
}

function trained(folder: string, name: string): void {
  const flags = ['--data', writeSet(folder), '--epochs', '2', '--batch', '16', '--threads', '1', '--quiet'];
  execFileSync(program, ['train', 'mlp', ...flags, '--run-dir', join(folder, 'runs', name)], { stdio: 'ignore' });
}

const entry = (page: Page, name: string) => page.locator('.runs li', { hasText: name });

async function stepOf(page: Page): Promise<number> {
  const row = page.locator('.run .figures > div').filter({ has: page.locator('dt', { hasText: /^Step$/ }) });
  return Number(((await row.locator('dd').textContent()) ?? '').replaceAll(',', ''));
}

test('a training is watched as it goes on, and stopped after a confirmation', async ({ page, served }) => {
  trained(served.folder, 'done-before');
  const training = train(served.folder, 'watched');
  const ended = new Promise<number | null>((done) => training.once('exit', done));
  await open(page, served, 'view=trainings');
  await entry(page, 'watched').locator('button').click();
  await expect(page.locator('.runs .running')).toHaveText('running');
  await expect.poll(() => stepOf(page)).toBeGreaterThan(0);
  const first = await stepOf(page);
  const listed = await Promise.all(['done-before', 'watched'].map((name) => entry(page, name).elementHandle()));
  await expect.poll(() => stepOf(page)).toBeGreaterThan(first + 100); // the curves grow, and an epoch has an accuracy
  for (const each of listed) expect(await each!.evaluate((box) => box.isConnected)).toBe(true); // no click is lost
  await expect(page.locator('.run .progress')).toHaveText(
    /^epoch [\d,]+ of 100,000 · step [\d,]+ of [\d,]+ · .* left$/,
  );
  await expect(page.locator('.run canvas')).toHaveCount(5);
  await expect(page).toHaveTitle('watched, training · Plimsoll');
  const stop = page.getByRole('button', { name: 'Stop and save' });
  await stop.click();
  await page.getByRole('button', { name: 'No, go on' }).click();
  expect(training.exitCode).toBeNull();
  await stop.click();
  await page.getByRole('button', { name: 'Yes, stop it' }).click();
  await expect(page.locator('.run .said').first()).toContainText('saves and stops');
  await entry(page, 'done-before').locator('button').click(); // what was said was of the other run
  await expect(page.locator('.run .said').first()).toBeEmpty();
  await expect(entry(page, 'done-before')).toContainText(/finished.*\d \d\d\.\d\d %|finished/);
  expect(await ended).toBe(130); // interrupted, and saved
  await entry(page, 'watched').locator('button').click();
  await expect(entry(page, 'watched').locator('.stopped')).toHaveText('stopped');
  await expect(page.locator('.run .command code')).toHaveText(
    `plimsoll train --resume --run-dir ${served.folder}/runs/watched`,
  );
  await expect(stop).toBeHidden();
});

test('runs are drawn over each other, a colour each', async ({ page, served }) => {
  for (const name of ['first-run', 'second-run']) trained(served.folder, name);
  await open(page, served, 'view=trainings');
  await entry(page, 'first-run').locator('button').click();
  await entry(page, 'second-run').getByRole('checkbox').check();
  const loss = page.locator('.chart').first();
  await expect(loss.locator('.u-legend')).toContainText('first-run: training');
  await expect(loss.locator('.u-legend')).toContainText('second-run: validation');
  await expect(page.locator('.chart figcaption').nth(2)).toHaveText('Speed, images/s');
  const memory = page.locator('.chart').last();
  await expect(memory.locator('figcaption')).toHaveText('Memory: planned (dashes) and of the process');
  for (const run of ['first-run', 'second-run'])
    for (const line of ['planned tensors', 'the whole process, measured'])
      await expect(memory.locator('.u-legend')).toContainText(`${run}: ${line}`);
  // A short run has one reading, which is seen.
  const drawn = (): Promise<number> =>
    memory.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const lively = (i: number) => Math.max(...data.slice(i, i + 3)) - Math.min(...data.slice(i, i + 3)) > 90;
      return Array.from({ length: data.length / 4 }, (_, i) => 4 * i).filter((i) => data[i + 3]! > 200 && lively(i))
        .length;
    });
  await expect.poll(drawn).toBeGreaterThan(20);
  const strokes = await memory
    .locator('.u-legend .u-series .u-marker')
    .evaluateAll((all) => all.slice(1).map((each) => getComputedStyle(each).borderTopColor));
  expect(strokes[0]).toBe(strokes[1]); // one run, one colour
  expect(strokes[2]).toBe(strokes[3]);
  expect(strokes[0]).not.toBe(strokes[2]);
  await entry(page, 'second-run').getByRole('checkbox').uncheck();
  await expect(memory.locator('figcaption')).toHaveText('Memory: planned, and the process’s own beyond it');
  await entry(page, 'second-run').getByRole('checkbox').check();
  const colours = (): Promise<string[]> =>
    page
      .locator('.runs li:has(input:checked) .swatch')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
  await expect.poll(async () => new Set(await colours()).size).toBe(2);
  await page.getByRole('button', { name: 'Log scale' }).click();
  await page.getByLabel('Smoothing').fill('0.9');
  await expect(page.locator('.run canvas').first()).toBeVisible();
  await expect(page).toHaveURL(/also=\d+/);
});

test('a run that was killed is told as such, with the command that goes on with it', async ({ page, served }) => {
  trained(served.folder, 'ended well');
  const training = train(served.folder, 'killed run');
  const ended = new Promise((done) => training.once('exit', done));
  await open(page, served, 'view=trainings');
  await entry(page, 'killed run').locator('button').click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(0);
  training.kill('SIGKILL');
  await ended;
  await expect(entry(page, 'killed run').locator('.failed-run')).toHaveText('stopped without saving');
  await expect(page.locator('.run .progress')).toContainText('stopped without saving');
  const lost = page.locator('.run-head .note', { hasText: 'goes on from its last checkpoint' });
  await expect(lost).toBeVisible();
  await expect(page.locator('.run .command code')).toHaveText(
    `plimsoll train --resume --run-dir '${served.folder}/runs/killed run'`,
  );
  await entry(page, 'ended well').locator('button').click();
  await expect(lost).toBeHidden();
  await expect(page.locator('.run .command')).toBeHidden();
});

test.describe('in Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });
  test('runs have the date of where the reader is', async ({ page, served }) => {
    trained(served.folder, 'dated');
    await open(page, served, 'view=trainings');
    await expect(page.locator('.runs button').first()).toHaveAttribute('aria-pressed', 'true'); // the newest is shown
    const note = (await entry(page, 'dated').locator('.note').textContent())!;
    const [year, month, day, hour, minute] = note
      .match(/(\d{4})\W(\d\d)\W(\d\d)\W(\d\d):(\d\d)/)!
      .slice(1)
      .map(Number);
    const then = Date.UTC(year!, month! - 1, day, hour! - 9, minute); // nine hours ahead all year
    expect(Math.abs(Date.now() - then)).toBeLessThan(10 * 60_000);
  });
});

test('a training is taken along: command, report, picture', async ({ page, served }) => {
  trained(served.folder, 'taken-along');
  await open(page, served, 'view=trainings');
  await entry(page, 'taken-along').locator('button').click();
  await expect(page.locator('.run .figures')).toContainText('Test accuracy');
  const command = await copiedBy(page, page.getByRole('button', { name: 'Copy command' }).last());
  expect(command).toBe(`plimsoll report ${served.folder}/runs/taken-along`);
  const group = page.getByRole('group', { name: 'Take the training along' });
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    group.getByRole('button', { name: 'Save report' }).click(),
  ]);
  expect(report.suggestedFilename()).toBe('plimsoll-taken-along.html');
  expect(readFileSync((await report.path())!, 'utf8')).toContain('Planned against measured');
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    group.getByRole('button', { name: 'Save picture' }).click(),
  ]);
  const bytes = readFileSync((await picture.path())!);
  expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16)]).toEqual(['PNG', 1200]);
});

test('a training does not mind that its page is closed', async ({ page, served, context }) => {
  const training = train(served.folder, 'unminded');
  await open(page, served, 'view=trainings');
  await entry(page, 'unminded').locator('button').click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(0);
  await expect(page).toHaveURL(/run=\d+/);
  const run = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('run');
  await page.close();
  expect(training.exitCode).toBeNull();
  const again = await context.newPage();
  await open(again, served, `view=trainings&run=${run}`); // a link to a run
  await expect(again.locator('.run h2')).toHaveText('unminded');
  training.kill('SIGINT');
  await new Promise((done) => training.once('exit', done));
  await expect(again.locator('.run .danger').first()).toBeHidden();
});
