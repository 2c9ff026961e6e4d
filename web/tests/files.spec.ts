// Files that are dropped: good ones, and a stranger's.
import { readFileSync } from 'node:fs';
import { drop, openNetwork } from './onnx_files';
import { expect, hull, open, test, verdict } from './served';

const models = process.env.PAGE_MODELS ?? '../tests/data/models';
const good = 'resnet18.onnx';
const network = (page: import('@playwright/test').Page) => page.getByRole('combobox', { name: 'Network' });
const said = (page: import('@playwright/test').Page) => page.locator('.drop-message');

test('an .onnx file is dropped and planned, under its own name', async ({ page, served }) => {
  await open(page, served);
  await drop(page, 'mine.onnx', readFileSync(`${models}/${good}`));
  await expect(said(page)).toHaveText('mine.onnx is there');
  await expect(network(page)).toHaveValue('mine.onnx');
  await expect(verdict(page)).toContainText('fits');
  await expect(page).toHaveTitle(/^mine.onnx, batch 32 fits/);
  await page.getByRole('tab', { name: 'Layers' }).click();
  await expect(page.locator('.tab-layers .weight')).toContainText('parameters');
  expect(await page.locator('body').innerText()).not.toMatch(/\/proc\/|upload-/);
});

test('a file is opened with the button', async ({ page, served }) => {
  await open(page, served);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Your own file …' }).click();
  await (await chooser).setFiles(`${models}/${good}`);
  await expect(said(page)).toContainText('is there');
});

test('a config.json is a language model', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-h100-80gb');
  const config = {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    hidden_size: 256,
    intermediate_size: 512,
    num_attention_heads: 4,
    num_hidden_layers: 2,
    num_key_value_heads: 4,
    vocab_size: 1000,
    max_position_embeddings: 512,
    tie_word_embeddings: false,
  };
  await drop(page, 'config.json', Buffer.from(JSON.stringify(config)));
  await expect(said(page)).toHaveText('config.json is there');
  await expect(verdict(page)).toContainText('512 tokens');
  await page.locator('label[for=mode-generate]').click();
  await expect(verdict(page)).toContainText('config.json in bf16 with 8 sequences');
  expect(await page.locator('main').innerText()).not.toMatch(/\/proc\/|upload-/);
});

test('sizes that a file leaves open are asked for, and are in the link', async ({ page, context, served }) => {
  await open(page, served);
  await drop(page, 'open.onnx', openNetwork('sequence <b>'));
  await expect(said(page)).toContainText('it leaves sizes open');
  const size = page.getByLabel('Size of sequence <b>');
  await expect(size).toBeFocused();
  await expect(verdict(page)).toHaveClass(/no/);
  await expect(verdict(page)).not.toContainText('/proc/');
  await page.locator('label[for=mode-inference]').click();
  await size.fill('16');
  await expect(verdict(page)).toContainText('fits');
  const small = await hull(page).getAttribute('aria-label');
  await size.fill('160000');
  await expect(hull(page)).not.toHaveAttribute('aria-label', small!);
  await expect(page).toHaveURL(/160000/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByLabel('Size of sequence <b>')).toHaveValue('160000');
  await expect(hull(other)).toHaveAttribute('aria-label', (await hull(page).getAttribute('aria-label'))!);
});

test('operations that are not known are named, and nothing is claimed', async ({ page, served }) => {
  await open(page, served);
  const bound = page.locator('.hero .bound');
  await expect(verdict(page)).toContainText('fits');
  await expect(bound).toBeHidden();
  await page.locator('label[for=mode-inference]').click();
  await drop(page, 'secret.onnx', openNetwork('sequence', 'Secret', 'com.example'));
  await page.getByLabel('Size of sequence').fill('16');
  await expect(verdict(page)).toContainText('may fit');
  await expect(bound).toContainText('Lower bound: 1 operation is not known (com.example:Secret ×1)');
  await expect(hull(page)).toHaveAttribute('aria-label', /peak, at least/);
  await expect(page.locator('.number dt').first()).toHaveText('No batch above');
  await expect(page.locator('.number .off').nth(1)).toContainText('lower bound');
});

const hostile: [name: string, content: Buffer, says: RegExp][] = [
  ['empty.onnx', Buffer.alloc(0), /empty/],
  ['page.onnx', Buffer.from('<!DOCTYPE html><script>alert(1)</script>'), /HTML/],
  ['pointer.onnx', Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:0\n'), /Git LFS/],
  ['length.onnx', Buffer.from([0x3a, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 2]), /byte|length|past/],
  ['config.json', Buffer.from('{"model_type": "nosuch"}'), /nosuch/],
  ['cut.gguf', Buffer.from('GGUF'), /ends|byte/],
  ['<img src=x onerror=alert(1)>.onnx', Buffer.from('garbage garbage'), /onnx/i],
];

test('hostile files get a clear message, and the page lives', async ({ page, served }) => {
  await open(page, served);
  await expect(verdict(page)).toContainText('Batch 32');
  for (const [name, content, says] of hostile) {
    await drop(page, name, content);
    await expect(said(page)).toContainText(name);
    await expect(said(page)).toContainText(says);
  }
  await page.locator('#batch-slider').focus();
  await page.keyboard.press('ArrowRight');
  await expect(verdict(page)).toContainText('Batch 40');
});
