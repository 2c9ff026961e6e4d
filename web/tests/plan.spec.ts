// The first screen: choosing a network, a device and a batch, and the link that holds it all.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answered, big, choose, expect, hull, job, open, program, test, verdict } from './served';

interface Place {
  ranking: { step_seconds: number; samples_per_second: number }[];
}

test('the first screen says what it is and answers at once', async ({ page, served }) => {
  await open(page, served);
  await expect(page.locator('header')).toContainText('Will it fit, how fast, what will it cost?');
  const short = page.locator('.hero .short');
  await expect(short).toHaveText('✓ It fits Training resnet50, batch 32, on AWS g4dn.xlarge (T4)');
  await expect(verdict(page)).toContainText('Batch 32 fits');
  for (const label of ['Largest batch', 'Speed', 'The whole job']) await expect(big(page, label)).toContainText(/\d/);
  await expect(page.locator('.number .off').first()).toContainText(/typical error [\d.]+ % \(\d+ measured runs\)/);
  await expect(page.locator('details.job')).not.toHaveAttribute('open');
  expect(page.url()).not.toContain('token');
  await expect(page).toHaveTitle('resnet50, batch 32 fits aws-g4dn.xlarge · Plimsoll');
});

test('networks and devices are searched, as the command line names them', async ({ page, served }) => {
  await open(page, served);
  await choose(page, 'Network', 'vgg16');
  await choose(page, 'Device', 'mx150');
  await expect(verdict(page)).toContainText('does not fit');
  await expect(hull(page)).toHaveAttribute('aria-label', /peak .* GiB, load line 80 %/);
  const network = page.getByRole('combobox', { name: 'Network' });
  await network.click();
  await expect(page.getByRole('listbox', { name: 'Network' }).getByRole('group').first()).toBeVisible();
  await network.fill('llama 8b');
  await expect(page.getByRole('option', { name: /llama-3.1-8b/ }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await choose(page, 'Network', 'ResNet-50'); // the zoo's resnet50
  await expect(verdict(page)).toContainText('Batch 32');
  await open(page, served, 'model=ResNet-50&device=T4'); // loose names of the command line, in a link
  await expect(verdict(page)).toContainText('Batch 32 fits');
  await choose(page, 'Network', 'nosuchnet');
  await expect(verdict(page)).toContainText('nosuchnet');
  await expect(page.locator('.hero')).toHaveClass(/empty/);
});

test('dragging the slider changes memory, time and money', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=aws-p3.2xlarge&batch=8');
  await expect(verdict(page)).toContainText('Batch 8 fits');
  const [speed, cost] = [await big(page, 'Speed').textContent(), await big(page, 'The whole job').textContent()];
  const slider = page.locator('#batch-slider');
  const box = (await slider.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
  await page.mouse.down();
  for (let share = 0.2; share <= 0.95; share += 0.05)
    await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  await page.mouse.up();
  await expect(verdict(page)).toContainText('does not fit');
  await expect(page.locator('.number.dimmed')).toHaveCount(2); // speed and money of a step that does not run
  await expect(big(page, 'Speed')).not.toHaveText(speed!);
  await expect(big(page, 'The whole job')).not.toHaveText(cost!);
  await expect(page.locator('.hull .broken')).toContainText('breaks at');
  await page.locator('.mark').click(); // the largest that fits
  await expect(verdict(page)).toContainText('fits');
  await expect(page.locator('#batch-exact')).toHaveValue(
    (await page.locator('.mark').textContent())!.replace(/\D/g, ''),
  );
});

test('what is taken only where there is room is striped, and what is needed decides', async ({ page, served }) => {
  await open(page, served, 'model=vgg16&device=nvidia-t4&batch=64'); // whose cache reaches past the line
  await expect(page.locator('.hero .short')).toContainText('✓ It fits');
  await expect(page.locator('.hull [data-part=spare]').first()).toBeAttached();
  await expect(page.locator('.hull .needed-mark')).toBeAttached();
  await expect(page.locator('.hull .peak-text')).toContainText(/needs [\d.]+ GiB, takes [\d.]+ GiB/);
  const level = async () => Number((await page.locator('.hull .surface').getAttribute('d'))!.match(/^M0 ([\d.]+)/)![1]);
  const high = await level();
  await page.locator('#batch-exact').fill('1');
  await expect(verdict(page)).toContainText('Batch 1 fits');
  expect(await level()).toBeGreaterThan(high); // further down: it lies higher in the water
  await page.locator('#batch-exact').fill('400');
  await expect(page.locator('.hero .short')).toContainText('✕ It does not fit');
  expect(await level()).toBeLessThan(high);
});

test('no label of the hull is over another or cut', async ({ page, served }) => {
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const state of ['model=vgg16&device=nvidia-t4&batch=64', 'batch=200', 'batch=256', 'model=lenet5&batch=1']) {
      await open(page, served, state);
      await answered(page);
      await expect(hull(page)).toBeVisible();
      const wrong = await page.evaluate(() => {
        const svg = document.querySelector('.hull svg')!.getBoundingClientRect();
        const boxes = [...document.querySelectorAll('.hull svg > text')].map((each) => each.getBoundingClientRect());
        const cut = boxes.filter((box) => box.left < svg.left - 1 || box.right > svg.right + 1);
        const over = boxes.filter((a, i) =>
          boxes.some((b, k) => {
            const beside = a.left >= b.right || b.left >= a.right;
            return k > i && !beside && a.top + 2 < b.bottom && b.top + 2 < a.bottom;
          }),
        );
        const line = document.querySelector('.hull .load-line')!.getBoundingClientRect().left;
        const named = document.querySelector('.hull .line-text')!.getBoundingClientRect();
        const crossed = named.left < line && named.right > line ? [named] : [];
        return [...cut, ...over, ...crossed].length;
      });
      expect(wrong, `${state}, ${width}`).toBe(0);
    }
  }
});

test('lines and their labels are where their bytes are', async ({ page, served }) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, served, 'model=resnet50&device=nvidia-t4&batch=64');
    await expect(verdict(page)).toContainText('Batch 64 fits');
    const at = await page.evaluate(() => {
      const x = (selector: string): number => Number(document.querySelector(`.hull ${selector}`)!.getAttribute('x1'));
      const text = (selector: string) => document.querySelector(`.hull ${selector}`)!.getBoundingClientRect();
      const left = document.querySelector('.hull svg')!.getBoundingClientRect().left;
      return {
        line: x('.load-line'),
        end: x('.memory-end'),
        label: text('.line-text').right - left,
        memory: text('.end-text').right - left,
      };
    });
    expect((at.line - 2) / (at.end - 2)).toBeCloseTo(0.8, 2);
    expect(Math.abs(at.label - at.line)).toBeLessThan(12);
    expect(Math.abs(at.memory - at.end)).toBeLessThan(12);
  }
});

test('what is shown is what the command line says', async ({ page, served }) => {
  await open(page, served, 'model=alexnet&device=nvidia-t4&batch=128&optimizer=adam&epochs=3&samples=1000');
  const flags = ['alexnet', '--device', 'nvidia-t4', '--batch', '128', '--optimizer', 'adam', '--json'];
  const fit = JSON.parse(execFileSync(program, ['fit', ...flags]).toString()) as {
    sentences: string[];
    largest_batch: number;
  };
  await expect(verdict(page)).toHaveText(fit.sentences[0]!);
  await expect(big(page, 'Largest batch')).toHaveText(`${fit.largest_batch.toLocaleString('en-US')} images`);
  const job = ['--epochs', '3', '--samples', '1000'];
  const place = JSON.parse(execFileSync(program, ['place', ...flags, ...job]).toString()) as Place;
  const shown = Number((await big(page, 'Speed').textContent())!.replace(/[^\d.]/g, ''));
  expect(Math.abs(shown / place.ranking[0]!.samples_per_second - 1)).toBeLessThan(0.01);
});

test('a language model is trained and served, in tokens', async ({ page, served }) => {
  await open(page, served);
  await page.getByRole('button', { name: /LoRA, on a 4090/ }).click();
  await expect(verdict(page)).toContainText('1,024 tokens');
  await expect(big(page, 'Speed')).toContainText('tokens/s');
  await expect(page.getByLabel('What is trained')).toHaveValue('lora:16');
  await expect(page.locator('.hull [data-part=adapters]').first()).toBeAttached();
  await page.getByText('Serve', { exact: true }).first().click();
  await expect(verdict(page)).toContainText('8 sequences of 4,096 tokens');
  await expect(big(page, 'Most sequences at once')).toContainText(/\d/);
  await choose(page, 'Network', 'resnet50');
  await expect(verdict(page)).toContainText('Batch');
  await expect(page.locator('#mode-generate')).toBeDisabled();
});

test('a link restores the whole state', async ({ page, context, served }) => {
  await open(page, served);
  await choose(page, 'Network', 'densenet121');
  const panel = await job(page);
  await panel.getByLabel('Number format').selectOption('amp');
  await panel.getByLabel('Optimizer').selectOption('adam');
  await panel.getByLabel('Recompute activations').selectOption('0.35');
  await page.locator('#batch-exact').fill('77');
  await expect(verdict(page)).toContainText('Batch 77');
  await expect(page).toHaveURL(/batch=77/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('combobox', { name: 'Network' })).toHaveValue('densenet121');
  await job(other);
  await expect(other.getByLabel('Number format')).toHaveValue('amp');
  await expect(other.getByLabel('Optimizer')).toHaveValue('adam');
  await expect(other.getByLabel('Recompute activations')).toHaveValue('0.35');
  await expect(verdict(other)).toHaveText((await verdict(page).textContent())!);
});

test('what would carry more is one click, and undone by another', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=200');
  const more = page.getByRole('region', { name: 'What would carry more' });
  const amp = more.getByRole('button', { name: /^amp → 2\d\d$/ });
  await amp.click();
  await expect(verdict(page)).toContainText('Batch 200 fits');
  await expect(page.locator('details.job summary')).toContainText('amp');
  await more.getByRole('button', { name: 'Undo: amp' }).click();
  await expect(verdict(page)).toContainText('Batch 200 does not fit');
  await expect(more.getByRole('button', { name: /Undo/ })).toBeHidden();
  await more.getByRole('button', { name: /micro-batches/ }).click();
  await expect(verdict(page)).toContainText('fits');
});

test('more devices are a click: the batch of each, the tab that tells of them, and back', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=400&tab=layers');
  const more = page.getByRole('region', { name: 'What would carry more' });
  const chip = more.getByRole('button', { name: /^\d+ devices → \d+$/ });
  const [devices, carried] = (await chip.textContent())!.match(/\d+/g)!.map(Number) as [number, number];
  const each = Math.floor(carried / devices);
  await chip.click();
  await expect(verdict(page)).toContainText(`Batch ${each} fits`);
  await expect(page.getByRole('tab', { name: 'Scale' })).toHaveAttribute('aria-selected', 'true');
  const rows = page.locator('.tab-scale tbody tr').filter({ has: page.locator('td', { hasText: /^2$/ }) });
  await expect(rows.locator('td').nth(1)).toHaveText(`${2 * each}`);
  await more.getByRole('button', { name: `Undo: ${devices} devices` }).click();
  await expect(verdict(page)).toContainText('Batch 400 does not fit');
  await expect(page.getByRole('tab', { name: 'Layers' })).toHaveAttribute('aria-selected', 'true');
});

test('Enter takes the name that is nearest to what is typed', async ({ page, served }) => {
  await open(page, served);
  for (const [what, typed, taken] of [
    ['Device', 't4', 'nvidia-t4'],
    ['Device', 'h100 80gb', 'nvidia-h100-80gb'],
    ['Network', 'resnet50', 'resnet50'],
    ['Network', 'gpt2', 'gpt2'],
  ] as const) {
    await choose(page, what, typed);
    await expect(page.getByRole('combobox', { name: what })).toHaveValue(taken);
  }
});

test('a stranger without the token is told so', async ({ browser, served }) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(served.address.replace(/#.*/, ''));
  await expect(page.getByRole('alert')).toContainText('token');
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

test('the batch is answered for when the slider has stopped', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32');
  await answered(page);
  await page.locator('#batch-slider').focus();
  await page.keyboard.press('ArrowRight');
  await expect(verdict(page)).toContainText('Batch 40');
});
