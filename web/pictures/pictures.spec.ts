// The pictures of the page and the report in README.md: `make pictures` takes them.
import { execFileSync } from 'node:child_process';
import { answered, expect, open, program, test } from '../tests/served';

const folder = process.env.PAGE_PICTURES ?? '../docs/pictures';

test.use({ viewport: { width: 1280, height: 940 }, deviceScaleFactor: 0.75 });

test('the page', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=aws-g4dn.xlarge&batch=96&epochs=90');
  await answered(page);
  await expect(page.locator('.carry-more .chip').first()).toBeVisible();
  await expect(page.locator('.tab-fit .band').first()).toBeAttached();
  await page.screenshot({ path: `${folder}/page.png` });
});

test('the report', async ({ page }, info) => {
  const file = info.outputPath('report.html');
  const job = ['--samples', '1281167', '--epochs', '90'];
  execFileSync(program, ['report', 'vgg16', '--device', 'nvidia-t4', '--batch', '64', ...job, '-o', file, '--quiet']);
  await page.goto(`file://${file}`);
  await page.screenshot({ path: `${folder}/report.png` });
});
