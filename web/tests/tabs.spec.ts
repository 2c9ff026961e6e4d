// The answer in detail, tab by tab.
import { execFileSync } from 'node:child_process';
import { big, expect, open, program, tab, test, verdict } from './served';

const panel = (page: import('@playwright/test').Page) => page.locator('[role=tabpanel]:visible');

test('Fit: the timeline by kind, with its peak that of the headline', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=135'); // the largest, where a cache is given up
  const flags = ['resnet50', '--device', 'nvidia-t4', '--batch', '135', '--json', '--brief'];
  const fit = JSON.parse(execFileSync(program, ['fit', ...flags]).toString()) as {
    timeline: number[];
    peak_bytes: number;
  };
  expect(Math.max(...fit.timeline)).toBe(fit.peak_bytes);
  const drawn = panel(page).locator('svg');
  await expect(drawn).toHaveAttribute('aria-label', /operations, at most 12\.\d+ GiB/);
  const peak = (await page.locator('.hull .peak-text').textContent())!.match(/(?:peak|takes) ([\d.]+ GiB)/)![1];
  await expect(panel(page).locator('.peak-text')).toContainText(`peak ${peak} at `);
  for (const part of ['parameters', 'gradients', 'optimizer', 'activations', 'fixed'])
    await expect(panel(page).locator(`.band[data-part=${part}]`)).toHaveAttribute('d', /M/);
  for (const phase of ['forward', 'backward'])
    await expect(panel(page).locator('.phase', { hasText: phase })).toBeVisible();
  await drawn.scrollIntoViewIfNeeded();
  const box = (await drawn.boundingBox())!;
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
  await expect(panel(page).locator('.readout')).toContainText(/\(forward\) · [\d.]+ GiB in memory · writes .*iB/);
  const told = await panel(page).locator('.readout').textContent();
  await panel(page).getByRole('group', { name: /arrow keys/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(panel(page).locator('.readout')).not.toHaveText(told!);
  const ticks = await panel(page).locator('.axes text').allTextContents();
  expect(ticks.filter((text) => /^\d+\.\d+$/.test(text))).toEqual([]); // no 1.05 operations
});

test('Layers: a map and a table to sort and search, leading to the timeline', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32&tab=layers');
  await expect(panel(page).locator('svg .cell').first()).toBeAttached();
  await expect(panel(page).locator('.weight')).toContainText('25,557,032 parameters');
  await panel(page).getByRole('columnheader', { name: 'Parameters' }).getByRole('button').click();
  await expect(panel(page).locator('tbody tr').first()).toContainText('layer4.'); // 2.4 M each
  await panel(page).locator('.cell[data-layer="layer1.0.conv1"]').hover();
  await expect(panel(page).locator('.readout')).toContainText(/layer1\.0\.conv1: operation forward \d+; backward \d+/);
  expect(await panel(page).locator('.strip-marks rect').count()).toBeGreaterThanOrEqual(2);
  await panel(page).getByLabel('Search the layers').fill('layer1.0.conv1');
  await expect(panel(page).locator('tbody tr')).toHaveCount(1);
  await panel(page).getByRole('button', { name: 'layer1.0.conv1' }).click();
  await expect(tab(page, 'Fit')).toHaveAttribute('aria-selected', 'true');
  await expect(panel(page).locator('.readout')).toContainText('layer1.0.conv1 (forward)');
});

test('Roofline: the roof, its ridge, a dot an operation', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32&tab=roofline');
  await expect(panel(page).locator('.roof')).toBeAttached();
  await expect(panel(page)).toContainText('ridge 27.0 FLOP a byte');
  expect(await panel(page).locator('.dot').count()).toBeGreaterThan(100);
  await expect(panel(page).locator('.notes')).toContainText('above the roof');
});

test('Devices: the verdict and the chosen device are marked', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32&tab=devices');
  await expect(panel(page).locator('.tab-verdict')).toContainText('Take ');
  const taken = (await panel(page).locator('.tab-verdict').textContent())!.replace(/^Take |\.$/g, '');
  await expect(panel(page).locator('tr.taken, tr.chosen').filter({ hasText: taken })).toContainText('the verdict');
  await expect(panel(page).locator('tr.chosen')).toContainText('yours');
  await expect(panel(page).locator('.frontier')).toBeAttached();
  await expect(panel(page).locator('.rank')).toContainText('nvidia-t4 is');
  await expect(panel(page).locator('.sources')).toContainText(/nvidia-t4: NVIDIA T4 datasheet, \d{4}/);
  await panel(page).getByRole('button', { name: taken, exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Device' })).toHaveValue(taken);
});

test('Scale: beside the ideal line, with the knee', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32&link=10gbe&critical=800&tab=scale');
  await expect(panel(page).locator('.knee')).toContainText('(knee)');
  await expect(panel(page).locator('.ideal')).toBeAttached();
  await panel(page).getByLabel('Up to so many devices').fill('8');
  await page.keyboard.press('Tab');
  await expect(panel(page).locator('tbody tr').filter({ hasText: /^64/ })).toHaveCount(0);
  await expect(panel(page).locator('tbody')).toContainText('8');
});

test('Scale: past the line the forecast is dimmed; its rows stay low on a phone', async ({ page, served }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=400&link=10gbe&most=8&tab=scale');
  await expect(panel(page).locator('tbody tr')).not.toHaveCount(0);
  expect(await panel(page).locator('tbody tr:not(.past-line)').count()).toBe(0);
  await expect(panel(page).locator('.nothing')).toContainText('would not run');
  const heights = await panel(page)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(40); // one line each
});

test('Scale and Serve of a language model', async ({ page, served }) => {
  await open(page, served, 'model=llama-3.1-8b&device=nvidia-h100-80gb&batch=1&method=lora:16&most=8&tab=scale');
  await expect(panel(page).locator('thead')).toContainText('Tokens/s');
  await expect(panel(page).locator('.measured')).toBeAttached();
  await tab(page, 'Serve').click();
  await expect(panel(page)).toContainText('Choose “Serve”');
  await page.locator('label[for=mode-generate]').click();
  await expect(panel(page).locator('.load-curve')).toBeAttached();
  await expect(panel(page).locator('tr.chosen')).toContainText('8');
  const said = (await big(page, 'Most sequences at once').textContent())!.match(/^[\d,]+/)![0];
  const most = Number(said.replaceAll(',', ''));
  for (const [at, fits] of await panel(page)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].slice(0, 2).map((td) => td.textContent))))
    expect(fits).toBe(Number(at) <= most ? 'yes' : 'no'); // as the hull has it
  await tab(page, 'Layers').click();
  await expect(panel(page).locator('.weight')).toContainText('8,030,261,248 parameters');
  await tab(page, 'Roofline').click();
  await expect(panel(page)).toContainText('Choose “Infer”');
});

test('Train: the command is there to copy', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=48&optimizer=adam&epochs=7&tab=train');
  await expect(panel(page).locator('code').first()).toHaveText(
    'plimsoll train resnet50 --data cifar10 --batch 48 --optimizer adam --epochs 7',
  );
  await panel(page).getByRole('button', { name: 'Look at the trainings' }).click();
  await expect(page.locator('.trainings')).toBeVisible();
});

test('pins are compared on one scale, the best bold', async ({ page, context, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32');
  await expect(verdict(page)).toContainText('fits');
  await page.getByRole('button', { name: 'Pin to compare' }).click();
  const pins = page.getByRole('region', { name: 'Compare' });
  await expect(pins.locator('tbody tr')).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Device' }).fill('v100-32gb');
  await page.keyboard.press('Enter');
  await expect(big(page, 'Largest batch')).toContainText(/2\d\d/);
  await page.getByRole('button', { name: 'Pin to compare' }).click();
  await expect(pins.locator('tbody tr')).toHaveCount(2);
  await expect(pins.locator('tbody tr').nth(1).locator('td b')).not.toHaveCount(0);
  await expect(pins.locator('tbody tr').nth(1).locator('td').nth(1).locator('b')).toHaveCount(1); // carries more
  const widths = await pins
    .locator('.mini-hold')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
  expect(widths[0]! / widths[1]!).toBeCloseTo(0.5, 1); // 16 of 32 GiB
  await expect(page).toHaveURL(/pin=/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('region', { name: 'Compare' }).locator('tbody tr')).toHaveCount(2);
  await pins.getByRole('button', { name: /Open resnet50 on nvidia-t4/ }).click();
  await expect(page.getByRole('combobox', { name: 'Device' })).toHaveValue('nvidia-t4');
  await pins.getByRole('button', { name: /Remove resnet50 on nvidia-t4/ }).click();
  await expect(pins.locator('tbody tr')).toHaveCount(1);
});
