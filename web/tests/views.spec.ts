// Every main view of the page and of the report at three widths: nothing is cut or wider than the window, and a
// screenshot of each is left to be looked at.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import { drop } from './onnx_files';
import { card, expect, open, program, test } from './served';
import { writeSet } from './training_set';

const widths = [1440, 768, 390];

async function look(page: Page, info: TestInfo, name: string, cells = 'button,dd,dt,label,.verdict,.weight,td,th') {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide, `${name} is wider than the window`).toBeLessThanOrEqual(0);
  const cut = await page.evaluate(
    (selector) =>
      [...document.querySelectorAll(selector)]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        .map((element) => element.textContent),
    cells,
  );
  expect(cut, name).toEqual([]);
  await page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: true });
}

function train(folder: string, name: string, rate: string): string {
  const flags = ['--data', writeSet(folder), '--max-steps', '120', '--batch', '16', '--threads', '1', '--quiet'];
  const run = join(folder, 'runs', name);
  execFileSync(program, ['train', 'mlp', ...flags, '--lr', rate, '--run-dir', run], { stdio: 'ignore' });
  return run;
}

for (const theme of ['light', 'dark'] as const)
  for (const width of theme === 'light' ? widths : [1440, 390])
    test(`the page, ${theme}, ${width} pixels`, async ({ page, served }, info) => {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 900 });
      await open(page, served, 'model=resnet50&device=nvidia-t4&batch=256&link=10gbe&critical=4000&epochs=90');
      const forecast = page.getByRole('region', { name: 'More workers' });
      await expect(card(page).locator('.others')).toContainText('What would carry more');
      await expect(forecast.locator('.knee')).toHaveCount(1);
      await look(page, info, 'one');
      for (let i = 1; i < 4; i += 1) await page.getByRole('button', { name: 'Compare with another' }).click();
      await card(page, 1).getByLabel('Network').selectOption('vgg16');
      await card(page, 2).getByLabel('Device').selectOption('nvidia-h100-80gb');
      await card(page, 3).getByLabel('Network').selectOption('gpt2');
      for (const at of [0, 1, 2, 3]) await expect(card(page, at).locator('.notes li').first()).toBeAttached();
      await look(page, info, 'four');
      await drop(page, 'a network with a rather long name, version 2.onnx', Buffer.from('<html>not a network</html>'));
      await expect(page.getByRole('status')).toContainText('HTML');
      await look(page, info, 'refused');
    });

for (const width of widths)
  test(`trainings and reports, ${width} pixels`, async ({ page, served }, info) => {
    const runs = ['0.01', '0.1'].map((rate) => train(served.folder, `mlp-lr-${rate}-${width}`, rate));
    await page.setViewportSize({ width, height: 900 });
    await open(page, served, 'tab=trainings');
    await page.locator('.runs button', { hasText: `mlp-lr-0.1-${width}` }).click();
    await expect(page.locator('.run .figures')).toContainText('Validation accuracy');
    await look(page, info, 'trainings');
    const subjects: [string, string[]][] = [
      ['network', ['resnet50', '--device', 'nvidia-t4', '--samples', '1281167', '--epochs', '90']],
      ['run', [runs[0]!]],
      ['runs', runs],
    ];
    for (const [name, flags] of subjects) {
      const file = info.outputPath(`${name}.html`);
      execFileSync(program, ['report', ...flags, '-o', file, '--quiet']);
      await page.goto(`file://${file}`);
      await look(page, info, `report-${name}`, 'h1,h2,h3,p,li,figcaption');
    }
  });
