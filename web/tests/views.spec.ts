// Every view of the page and of the report: nothing is cut or wider than the window, no rule of axe-core is broken, and
// a screenshot of each is left to be looked at.
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import { accessible } from './axe';
import { drop } from './onnx_files';
import { answered, expect, open, program, tab, test } from './served';
import { writeSet } from './training_set';

async function look(page: Page, info: TestInfo, name: string, cells = 'button:not(.mark),dd,dt,label,h2,td,th,.chip') {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide, `${name} is wider than the window`).toBeLessThanOrEqual(0);
  const cut = await page.evaluate(
    (selector) =>
      [...document.querySelectorAll(selector)]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
        .map((element) => element.textContent),
    cells,
  );
  expect(cut, name).toEqual([]);
  const outside = await page.evaluate(() =>
    [...document.querySelectorAll<SVGTextElement>('svg text')]
      .filter((words) => {
        const [own, all] = [words.getBoundingClientRect(), words.ownerSVGElement!.getBoundingClientRect()];
        return own.width > 0 && (own.left < all.left - 1 || own.right > all.right + 1);
      })
      .map((words) => words.textContent),
  );
  expect(outside, `${name}: words that a picture cuts`).toEqual([]);
  await page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: true });
}

function train(folder: string, name: string, rate: string): string {
  const flags = ['--data', writeSet(folder), '--max-steps', '120', '--batch', '16', '--threads', '1', '--quiet'];
  const run = join(folder, 'runs', name);
  execFileSync(program, ['train', 'mlp', ...flags, '--lr', rate, '--run-dir', run], { stdio: 'ignore' });
  return run;
}

const settled = async (page: Page): Promise<void> => {
  await answered(page);
  await expect(page.locator('[role=tabpanel]:visible [aria-busy=true]')).toHaveCount(0);
};

const looks = [1440, 768, 390].flatMap((width) => (['light', 'dark'] as const).map((theme) => [width, theme] as const));

for (const [width, theme] of looks)
  test(`the page, ${theme}, ${width} pixels`, async ({ page, served }, info) => {
    test.slow(); // seven tabs, each held to all rules
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    await open(page, served, 'model=resnet50&device=aws-g4dn.xlarge&batch=256&link=10gbe&critical=4000&epochs=90');
    await settled(page);
    for (const name of ['Fit', 'Layers', 'Roofline', 'Devices', 'Scale', 'Serve', 'Train']) {
      await tab(page, name).click();
      await settled(page);
      await look(page, info, `past-the-line-${name.toLowerCase()}`);
      await accessible(page, `${name}, ${theme}`);
    }
    if (width === 1440) return;
    await page.getByRole('button', { name: 'Pin to compare' }).click();
    await page.getByRole('button', { name: /served by an H100/ }).click();
    await settled(page);
    await page.getByRole('button', { name: 'Pin to compare' }).click();
    await tab(page, 'Serve').click();
    await page.locator('details.job summary').click();
    await settled(page);
    await look(page, info, 'served-and-pinned');
    await accessible(page, 'served and pinned');
    await drop(page, 'a network with a rather long name, version 2.onnx', Buffer.from('<html>not a network</html>'));
    await expect(page.locator('.drop-message')).toContainText('HTML');
    await page.getByRole('combobox', { name: 'Device' }).click();
    await look(page, info, 'refused-and-open');
    await accessible(page, 'an open list');
  });

// What a language model has of its own: trained with adapters, too large, served, and its plans over many devices.
for (const [width, theme] of [
  [1440, 'light'],
  [390, 'dark'],
] as const)
  test(`language models, ${theme}, ${width} pixels`, async ({ page, served }, info) => {
    test.slow();
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    const model = 'model=llama-3.1-8b&device=nvidia-h100-80gb&most=8';
    for (const [state, name] of [
      [`${model}&method=lora:16&batch=1&tab=fit`, 'lora-fit'],
      [`${model}&method=lora:16&batch=1&tab=roofline`, 'lora-roofline'],
      [`${model}&method=lora:16&batch=1&tab=scale`, 'lora-scale'],
      [`${model}&method=lora:16&batch=1&tab=devices`, 'lora-devices'],
      [`${model}&batch=1&tab=fit`, 'too-large'],
      [`${model}&mode=generate&tab=serve`, 'served'],
    ] as const) {
      await open(page, served, state);
      await settled(page);
      await look(page, info, name);
      await accessible(page, `${name}, ${theme}`);
    }
  });

for (const width of [1440, 390])
  test(`trainings and reports, ${width} pixels`, async ({ page, served }, info) => {
    const runs = ['0.01', '0.1'].map((rate) => train(served.folder, `mlp-lr-${rate}-${width}`, rate));
    await page.setViewportSize({ width, height: 900 });
    await open(page, served, 'view=trainings');
    await page.locator('.runs button', { hasText: `mlp-lr-0.1-${width}` }).click();
    await expect(page.locator('.run .figures')).toContainText('Validation accuracy');
    await look(page, info, 'trainings');
    await accessible(page, 'trainings');
    const subjects: [string, string[]][] = [
      ['network', ['resnet50', '--device', 'nvidia-t4', '--samples', '1281167', '--epochs', '90']],
      ['text', ['llama-3.1-8b', '--device', 'nvidia-rtx-4090', '--method', 'lora:16', '--batch', '1']],
      ['served', ['llama-3.1-8b', '--device', 'nvidia-h100-80gb', '--mode', 'generate', '--concurrency', '8']],
      ['run', [runs[0]!]],
      ['runs', runs],
    ];
    copyFileSync(join(runs[0]!, 'report.html'), info.outputPath('own.html'));
    for (const [name, flags] of [...subjects, ['own', []] as [string, string[]]]) {
      const file = info.outputPath(`${name}.html`);
      if (flags.length > 0) execFileSync(program, ['report', ...flags, '-o', file, '--quiet']);
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await page.goto(`file://${file}`);
        await look(page, info, `report-${name}-${theme}`, 'h1,h2,h3,p,li,figcaption');
        await accessible(page, `report ${name}, ${theme}`);
      }
    }
  });
