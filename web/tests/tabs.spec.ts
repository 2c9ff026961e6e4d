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
  await panel(page)
    .getByRole('group', { name: /arrow keys/ })
    .focus();
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

test('every tab says what it shows, and the window too', async ({ page, served }) => {
  await open(page, served, 'model=resnet18&device=nvidia-t4&batch=32&link=10gbe&most=4');
  await expect(page).toHaveTitle('resnet18, batch 32 fits nvidia-t4 · Plimsoll');
  for (const [name, title, says] of [
    [
      'Fit',
      'Memory during the step: resnet18, batch 32, on NVIDIA T4',
      /^The step is fullest at [\w.]+: [\d.]+ GiB, \d+ % of it \w[\w ]*\.$/,
    ],
    [
      'Layers',
      'Layers of resnet18: what each weighs, computes and takes',
      /^Half of the time is in \d+ of \d+ layers\.$/,
    ],
    [
      'Roofline',
      'Roofline: resnet18, batch 32, on NVIDIA T4',
      /^Arithmetic limits [\d.]+ % of the time, memory [\d.]+ %\.$/,
    ],
    ['Devices', 'Devices to train resnet18: time against money', /^Take [\w.-]+\.$/],
    [
      'Scale',
      'What more devices bring: resnet18, batch 32 each, on NVIDIA T4',
      /^\d+ devices are [\d.]+ times as fast as one: \d+ % of ideal\.$/,
    ],
    ['Train', 'Training resnet18 with Plimsoll itself, on this machine', null],
  ] as const) {
    await tab(page, name).click();
    await expect(panel(page).locator('h2.tab-title')).toHaveText(title);
    if (says !== null) await expect(panel(page).locator('.tab-verdict')).toHaveText(says);
    if (name !== 'Fit') await expect(page).toHaveTitle(`${name} · resnet18, batch 32 fits nvidia-t4 · Plimsoll`);
  }
});

test('Layers of a language model have times, and lead to the timeline', async ({ page, served }) => {
  await open(page, served, 'model=llama-3.1-8b&device=nvidia-h100-80gb&batch=1&method=lora:16&tab=layers');
  await expect(panel(page).locator('th').nth(1)).toHaveText('Time');
  const row = panel(page).locator('tr[data-layer="model.layers.7.mlp.gate_proj"]');
  await panel(page).getByLabel('Search the layers').fill('layers.7.');
  await expect(row.locator('td').nth(1)).toHaveText(/^\d+ [µm]s · /);
  await row.hover();
  await expect(panel(page).locator('.readout')).toContainText(/gate_proj: operation forward \d+; backward \d+/);
  await row.getByRole('button').click();
  await expect(tab(page, 'Fit')).toHaveAttribute('aria-selected', 'true');
  await expect(panel(page).locator('.readout')).toContainText('model.layers.7.mlp.gate_proj (forward)');
});

test('Roofline: the roof, its ridge, a dot an operation', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32&tab=roofline');
  await expect(panel(page).locator('.roof')).toBeAttached();
  await expect(panel(page)).toContainText('ridge 27.0 FLOP a byte');
  expect(await panel(page).locator('.dot').count()).toBeGreaterThan(100);
  await expect(panel(page).locator('.notes')).not.toContainText('above the roof');
  await open(page, served, 'model=resnet50&device=nvidia-v100-32gb&batch=32&tab=roofline');
  await expect(panel(page).locator('.notes')).toContainText('above the roof');
});

test('Devices: the verdict and the chosen device are marked', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32&tab=devices');
  await expect(panel(page).locator('.tab-verdict')).toContainText('Take ');
  const taken = (await panel(page).locator('.tab-verdict').textContent())!.replace(/^Take |\.$/g, '');
  await expect(panel(page).locator('tr.taken, tr.chosen').filter({ hasText: taken })).toContainText('the verdict');
  await expect(panel(page).locator('tr.chosen')).toContainText('yours');
  await expect(panel(page).locator('.frontier')).toBeAttached();
  await expect(panel(page).locator('figcaption')).toContainText('The verdict is about those that are rented'); // why
  await expect(panel(page).locator('.rank')).toContainText('nvidia-t4 is');
  await expect(panel(page).locator('.sources')).toContainText(/nvidia-t4: NVIDIA T4 datasheet, \d{4}/);
  await panel(page).getByRole('button', { name: taken, exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Device' })).toHaveValue(taken);
});

test('Scale: beside the ideal line, with the knee', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32&link=10gbe&critical=800&tab=scale');
  await expect(panel(page).locator('.knee')).toContainText('(knee)');
  await expect(panel(page).locator('.ideal')).toBeAttached();
  await panel(page).getByLabel('Devices, at most').fill('8');
  await page.keyboard.press('Tab');
  await expect(panel(page).locator('tbody tr').filter({ hasText: /^64/ })).toHaveCount(0);
  await expect(panel(page).locator('tbody')).toContainText('8');
});

test('Scale: what cannot be asked is told beside its field', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32&tab=scale');
  const most = panel(page).getByLabel('Devices, at most');
  const beside = (label: string) =>
    panel(page)
      .locator('.field', { has: page.getByLabel(label) })
      .locator('.wrong');
  await most.fill('1');
  await page.keyboard.press('Tab');
  await expect(beside('Devices, at most')).toHaveText('A whole number from 2 to 65,536');
  await most.fill('24');
  await page.keyboard.press('Tab');
  await expect(beside('Devices, at most')).toBeHidden();
  await expect(panel(page).locator('tbody tr').last()).toContainText('24'); // any number, not powers of two alone
  await panel(page).getByLabel('Link between them').fill('a wet string');
  await page.keyboard.press('Tab');
  await expect(beside('Link between them')).toContainText('a wet string');
  await expect(panel(page).locator('svg')).toHaveCount(0);
  await panel(page).getByLabel('Link between them').fill('10gbe');
  await page.keyboard.press('Tab');
  await expect(panel(page).locator('.ideal')).toBeAttached();
  await expect(beside('Link between them')).toBeHidden();
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
  await expect(panel(page)).toContainText('Serving is bound by memory');
});

test('a training in tokens: memory by kind over the step, and its roofline', async ({ page, served }) => {
  await open(page, served, 'model=llama-3.1-8b&device=nvidia-h100-80gb&batch=1&method=lora:16&sequence=2048');
  await expect(panel(page).locator('svg')).toHaveAttribute('aria-label', /operations, at most 30\.\d+ GiB/);
  const peak = (await page.locator('.hull .peak-text').textContent())!.match(/peak ([\d.]+ GiB)/)![1];
  await expect(panel(page).locator('.peak-text')).toContainText(`peak ${peak} at loss.cross_entropy, backward`);
  for (const part of ['parameters', 'activations', 'logits', 'adapters', 'optimizer', 'fixed'])
    await expect(panel(page).locator(`.band[data-part=${part}]`)).toHaveAttribute('d', /M/);
  for (const phase of ['forward', 'backward'])
    await expect(panel(page).locator('.phase', { hasText: phase })).toBeVisible();
  await panel(page)
    .getByRole('group', { name: /arrow keys/ })
    .focus();
  await page.keyboard.press('ArrowRight');
  await expect(panel(page).locator('.readout')).toContainText(/\(forward\) · [\d.]+ GiB in memory/);
  await tab(page, 'Roofline').click();
  await expect(panel(page).locator('.roof')).toBeAttached();
  expect(await panel(page).locator('.dot').count()).toBeGreaterThan(10);
  await expect(panel(page).locator('.dot title').first()).toContainText(/and \d+ like it: .* of the time/);
  await expect(panel(page).locator('.legend')).toContainText('attention');
  await expect(panel(page).locator('.notes')).toContainText('have no dot');
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
  await expect(page).toHaveURL(/pin=.*pin=/); // the link follows a moment later
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('region', { name: 'Compare' }).locator('tbody tr')).toHaveCount(2);
  await pins.getByRole('button', { name: /Open resnet50 on nvidia-t4/ }).click();
  await expect(page.getByRole('combobox', { name: 'Device' })).toHaveValue('nvidia-t4');
  await pins.getByRole('button', { name: /Remove resnet50 on nvidia-t4/ }).click();
  await expect(pins.locator('tbody tr')).toHaveCount(1);
});

test('pins that are not alike have no best', async ({ page, served }) => {
  const pin = (state: string) => `pin=${encodeURIComponent(`#${state}`)}`;
  const images = ['nvidia-t4', 'nvidia-v100-32gb'].map((device) => pin(`model=resnet50&device=${device}&batch=32`));
  const text = pin('model=llama-3.1-8b&device=nvidia-h100-80gb&mode=generate&batch=32');
  await open(page, served, ['model=resnet50&device=nvidia-t4&batch=32', ...images, text].join('&'));
  const rows = page.getByRole('region', { name: 'Compare' }).locator('tbody tr');
  await expect(rows.nth(2)).toContainText('tokens/s');
  await expect(rows.nth(1).locator('td b').first()).toBeVisible(); // of the two with images
  await expect(rows.nth(2).locator('b')).toHaveCount(0);
  await expect(rows.nth(2)).toContainText('a token');
});
