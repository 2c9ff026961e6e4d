// Files that are dropped: good ones, and a stranger's.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { card, expect, open, test } from './served';

const models = process.env.PAGE_MODELS ?? '../tests/data/models';
const good = 'resnet18.onnx';

async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([file, base64]) => {
      const bytes = Uint8Array.from(atob(base64!), (letter) => letter.charCodeAt(0));
      const list = new DataTransfer();
      list.items.add(new File([bytes], file!));
      return list;
    },
    [name, content.toString('base64')],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

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
