// Files that are dropped: good ones, and a stranger's.
import { readFileSync } from 'node:fs';
import { drop, openNetwork } from './onnx_files';
import { card, expect, open, test } from './served';

const models = process.env.PAGE_MODELS ?? '../tests/data/models';
const good = 'resnet18.onnx';

test('an .onnx file is dropped and planned', async ({ page, served }) => {
  await open(page, served);
  await drop(page, 'mine.onnx', readFileSync(`${models}/${good}`));
  await expect(page.getByRole('status')).toHaveText('mine.onnx is there');
  await expect(card(page).getByLabel('Network').locator('option:checked')).toHaveText('mine.onnx (dropped)');
  await expect(card(page).locator('.weight')).toContainText('parameters');
  await expect(card(page).locator('.verdict')).toContainText('fits');
});

test('an .onnx file is opened with the button', async ({ page, served }) => {
  await open(page, served);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open an .onnx file' }).click();
  await (await chooser).setFiles(`${models}/${good}`);
  await expect(page.getByRole('status')).toContainText('is there');
});

test('sizes that a file leaves open are asked for, and are in the link', async ({ page, context, served }) => {
  await open(page, served);
  await drop(page, 'open.onnx', openNetwork('sequence <b>'));
  await expect(page.getByRole('status')).toContainText('it leaves sizes open');
  const size = page.getByLabel('Size of sequence <b>');
  await expect(size).toBeFocused();
  await expect(card(page).locator('.verdict')).toContainText('open.onnx: ');
  await expect(card(page).locator('.verdict')).not.toContainText('/proc/');
  await page.getByLabel('Mode').selectOption('inference');
  await size.fill('16');
  await expect(card(page).locator('.verdict')).toContainText('fits');
  const bar = card(page).locator('.bar');
  const small = await bar.getAttribute('aria-label');
  await size.fill('160000');
  await expect(bar).not.toHaveAttribute('aria-label', small!);
  await expect(page).toHaveURL(/160000/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByLabel('Size of sequence <b>')).toHaveValue('160000');
  await expect(card(other).locator('.verdict')).toContainText('fits');
  expect(await card(other).locator('.bar').getAttribute('aria-label')).toBe(await bar.getAttribute('aria-label'));
});

test('operations that are not known are named, and nothing is claimed', async ({ page, served }) => {
  await open(page, served);
  const bound = card(page).locator('.bound');
  await expect(card(page).locator('.verdict')).toContainText('fits');
  await expect(bound).toBeHidden();
  await page.getByLabel('Mode').selectOption('inference');
  await drop(page, 'secret.onnx', openNetwork('sequence', 'Secret', 'com.example'));
  await page.getByLabel('Size of sequence').fill('16');
  await expect(card(page).locator('.verdict')).toContainText('may fit');
  await expect(bound).toBeVisible();
  await expect(bound).toContainText('Lower bound: 1 operation is not known (com.example:Secret ×1)');
  await expect(card(page).locator('.weight')).toContainText('at least');
  await expect(card(page).locator('.bar')).toHaveAttribute('aria-label', /peak, at least/);
  await expect(card(page).locator('.largest')).toContainText('No batch above');
  await page.getByLabel('Network').selectOption('lenet5');
  await expect(bound).toBeHidden();
});

const hostile: [name: string, content: Buffer, says: RegExp][] = [
  ['empty.onnx', Buffer.alloc(0), /empty/],
  ['page.onnx', Buffer.from('<!DOCTYPE html><script>alert(1)</script>'), /HTML/],
  ['pointer.onnx', Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:0\n'), /Git LFS/],
  ['length.onnx', Buffer.from([0x3a, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 2]), /byte|length|past/],
  ['<img src=x onerror=alert(1)>.onnx', Buffer.from('garbage garbage'), /onnx/i],
];

for (const [name, content, says] of hostile)
  test(`a hostile file gets a clear message and the page lives: ${name}`, async ({ page, served }) => {
    await open(page, served);
    await expect(card(page).locator('.verdict')).toContainText('Batch 32');
    await drop(page, name, content);
    await expect(page.getByRole('status')).toContainText(name);
    await expect(page.getByRole('status')).toContainText(says);
    await page.locator('#batch-slider').focus();
    await page.keyboard.press('ArrowRight');
    await expect(card(page).locator('.verdict')).toContainText('Batch 40');
  });
