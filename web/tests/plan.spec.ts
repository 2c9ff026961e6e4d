// Choosing a network, a device and a batch, comparing, and the link that holds it all.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { card, expect, figure, open, program, test } from './served';

interface Place {
  ranking: { step_seconds: number; samples_per_second: number }[];
}

test('loads, and the token is no longer in the address', async ({ page, served }) => {
  await open(page, served);
  await expect(card(page).locator('.verdict')).toContainText('fits');
  expect(page.url()).not.toContain('token');
  await expect(page).toHaveTitle('Plimsoll');
});

test('chooses a network and a device', async ({ page, served }) => {
  await open(page, served);
  await expect(card(page).locator('.verdict')).toContainText('Batch 32');
  await page.getByLabel('Network').selectOption('vgg16');
  await page.getByLabel('Device').selectOption('nvidia-mx150');
  await expect(card(page).locator('.verdict')).toContainText('does not fit');
  await expect(card(page).locator('.weight')).toContainText('138 M parameters');
  await expect(card(page).locator('.bar')).toHaveAttribute('aria-label', /peak .* GiB, load line 80 %/);
});

test('dragging the slider changes memory, time and money', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=aws-p3.2xlarge&batch=8');
  await expect(card(page).locator('.verdict')).toContainText('Batch 8 fits');
  const [step, cost] = [await figure(page, 'One step'), await figure(page, 'Cost')];
  const slider = page.locator('#batch-slider');
  const box = (await slider.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
  await page.mouse.down();
  for (let share = 0.2; share <= 0.8; share += 0.05)
    await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  await page.mouse.up();
  await expect(card(page).locator('.verdict')).toContainText('does not fit');
  expect(await figure(page, 'One step')).not.toBe(step);
  expect(await figure(page, 'Cost')).not.toBe(cost);
  expect(Number(await page.getByLabel('exactly').inputValue())).toBeGreaterThan(300);
});

test('the timeline has a line for each part, and the peak as its highest', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32');
  await expect(card(page).locator('.verdict')).toContainText('fits');
  for (const part of ['in all', 'without workspace', 'fixed'])
    await expect(card(page).locator('.chart .u-legend').first()).toContainText(part);
  const flags = ['resnet50', '--device', 'nvidia-t4', '--batch', '32', '--json', '--brief'];
  const fit = JSON.parse(execFileSync(program, ['fit', ...flags]).toString()) as {
    timeline: number[];
    peak_bytes: number;
  };
  expect(Math.max(...fit.timeline)).toBe(fit.peak_bytes);
});

test('what is shown is what the command line says', async ({ page, served }) => {
  await open(page, served, 'model=alexnet&device=nvidia-t4&batch=128&optimizer=adam&epochs=3&samples=1000');
  const flags = ['alexnet', '--device', 'nvidia-t4', '--batch', '128', '--optimizer', 'adam', '--json'];
  const fit = JSON.parse(execFileSync(program, ['fit', ...flags]).toString()) as { sentences: string[] };
  await expect(card(page).locator('.verdict')).toHaveText(fit.sentences[0]!);
  const job = ['--epochs', '3', '--samples', '1000'];
  const place = JSON.parse(execFileSync(program, ['place', ...flags, ...job]).toString()) as Place;
  const { step_seconds: step, samples_per_second: speed } = place.ranking[0]!;
  const shown = async (name: string) => Number((await figure(page, name)).replace(/[^\d.]/g, ''));
  expect(Math.abs((await shown('One step')) / (step * 1000) - 1)).toBeLessThan(0.01);
  expect(Math.abs((await shown('Speed')) / speed - 1)).toBeLessThan(0.01);
});

test('compares up to four and removes one', async ({ page, served }) => {
  await open(page, served);
  const add = page.getByRole('button', { name: 'Compare with another' });
  for (let i = 1; i < 4; i += 1) await add.click();
  await expect(page.locator('.card')).toHaveCount(4);
  await expect(add).toBeDisabled();
  await card(page, 2).getByLabel('Network').selectOption('vgg16');
  await card(page, 3).getByLabel('Device').selectOption('nvidia-v100-32gb');
  await expect(card(page, 2).locator('.weight')).toContainText('138 M');
  await expect(card(page, 3).locator('.bar')).toHaveAttribute('aria-label', /memory 32.0 GiB/);
  await card(page, 1).getByRole('button', { name: 'Remove' }).click();
  await expect(page.locator('.card')).toHaveCount(3);
});

test('a link restores the whole state', async ({ page, context, served }) => {
  await open(page, served);
  await page.getByRole('button', { name: 'Compare with another' }).click();
  await card(page, 1).getByLabel('Network').selectOption('densenet121');
  await page.getByLabel('Number format').selectOption('amp');
  await page.getByLabel('Optimizer').selectOption('adam');
  await page.getByLabel('Recompute activations').selectOption('0.35');
  await page.getByLabel('exactly').fill('77');
  await expect(card(page, 1).locator('.verdict')).toContainText('Batch 77');
  await expect(page).toHaveURL(/batch=77/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(card(other, 1).getByLabel('Network')).toHaveValue('densenet121');
  await expect(other.getByLabel('Number format')).toHaveValue('amp');
  await expect(other.getByLabel('Optimizer')).toHaveValue('adam');
  await expect(other.getByLabel('Recompute activations')).toHaveValue('0.35');
  await expect(card(other, 1).locator('.verdict')).toContainText('Batch 77');
  await expect(card(other, 1).locator('.verdict')).toHaveText((await card(page, 1).locator('.verdict').textContent())!);
});

test('a stranger without the token is told so', async ({ browser, served }) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(served.address.replace(/#.*/, ''));
  await expect(page.getByRole('alert')).toContainText('token');
});

test('what would carry more is shown when the slider rests', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=512');
  await expect(card(page).locator('.others')).toContainText('micro-batches');
  await card(page).getByRole('button', { name: /Largest batch/ }).click();
  await expect(card(page).locator('.verdict')).toContainText('fits:');
});

test('another site cannot put it in a frame', async ({ context, served }) => {
  const page = await context.newPage(); // on which the browser may complain
  const frame = `<iframe src="${served.address}"></iframe><link rel="icon" href="data:,">`;
  const other = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(frame));
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  const refused = page.waitForResponse((response) => response.url().startsWith(served.address.replace(/#.*/, '')));
  await page.goto(`http://localhost:${(other.address() as AddressInfo).port}/`); // another site than 127.0.0.1
  expect((await refused).status()).toBe(403);
  await expect(page.frameLocator('iframe').getByText('Plimsoll')).toHaveCount(0);
  other.close();
});
