// What is on its way, what is wrong and what is gone: never an old answer under a new name.
import { answered, choose, end, expect, hull, job, open, serve, test, verdict } from './served';

test('an old answer never stands under a new name', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32');
  await answered(page);
  await expect(verdict(page)).toContainText('fits');
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  await page.route('**/api/plan', async (route) => {
    await held;
    await route.fallback();
  });
  await choose(page, 'Network', 'vgg16');
  await expect(page.locator('.hero')).toHaveAttribute('aria-busy', 'true'); // a cue, at once
  await expect(verdict(page)).toHaveText('The answer is on its way …');
  await expect(hull(page)).not.toBeVisible();
  await expect(page.locator('.numbers')).not.toBeVisible();
  release();
  await expect(verdict(page)).toContainText('Batch 32');
  await expect(hull(page)).toBeVisible();
});

test('what cannot be asked is told beside its field, and the old answer goes', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32');
  await expect(verdict(page)).toContainText('fits');
  const panel = await job(page);
  const line = panel.getByLabel('Load line');
  await line.fill('2');
  await expect(panel.locator('.field', { has: page.getByLabel(/^Load line/) }).locator('.wrong')).toContainText(
    'from 0.01 to 1',
  );
  await expect(verdict(page)).not.toContainText('fits');
  await expect(hull(page)).not.toBeVisible();
  await line.fill('0.9');
  await expect(verdict(page)).toContainText('fits');
  await expect(hull(page)).toHaveAttribute('aria-label', /load line 90 %/);
  await page.locator('#batch-exact').fill('0');
  await expect(page.locator('#batch-wrong')).toContainText('A whole number');
  await expect(verdict(page)).not.toContainText('fits');
  await expect(hull(page)).not.toBeVisible();
  await expect(page).toHaveTitle('Plimsoll');
  await page.locator('#batch-exact').fill('16');
  await expect(verdict(page)).toContainText('Batch 16 fits');
});

test('what is below goes with the answer that cannot be', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32&tab=roofline');
  const panel = page.locator('[role=tabpanel]:visible');
  await expect(panel.locator('.roof')).toBeVisible();
  await page.locator('#batch-exact').fill('0');
  await expect(panel.locator('svg')).toHaveCount(0);
  await expect(panel.locator('.nothing')).toContainText('no whole number');
  await page.locator('#batch-exact').fill('24');
  await expect(panel.locator('.tab-title')).toHaveText('Roofline: resnet50, batch 24, on NVIDIA T4');
  await expect(panel.locator('.roof')).toBeVisible();
});

test('no sentence of the page names a flag, and memory is told in GiB', async ({ page, served }) => {
  test.slow(); // six questions, one of the whole catalog
  for (const state of [
    'batch=400',
    'batch=64&tab=scale&most=1024',
    'model=llama-3.1-8b&device=nvidia-h100-80gb&method=lora:16&batch=1&tab=scale&most=8',
    'model=llama-3.1-8b&device=nvidia-h100-80gb&batch=1&tab=devices',
    'tab=devices',
    'model=llama-3.1-8b&device=nvidia-h100-80gb&mode=generate&tab=serve',
  ]) {
    await open(page, served, state);
    await answered(page);
    await expect(page.locator('[role=tabpanel]:visible .notes li').first()).toBeVisible();
    const all = (await page.locator('.hero, [role=tabpanel]:visible').allInnerTexts()).join('\n');
    const words = all.replaceAll('H100 80 GB', 'H100'); // the card's own name
    expect(words).not.toMatch(/--[a-z]/);
    expect(words).not.toMatch(/\d [KMGT]B\b(?!\/s)/);
    // What a sentence points to is there.
    const there = (await page.locator('label, button, summary').allTextContents()).join('\n');
    for (const [, name] of words.matchAll(/“([^”]+)”/g)) expect(there, state).toContain(name);
    for (const not of ['jitter', 'reference batch', 'per node', 'noise scale', 'host cores'])
      expect(words, state).not.toContain(not);
  }
});

test('a server that is gone is told, in every view', async ({ page }) => {
  const own = await serve();
  await open(page, own, 'model=resnet50&device=nvidia-t4&batch=32');
  await expect(verdict(page)).toContainText('fits');
  await page.locator('.view', { hasText: 'Trainings' }).click();
  await expect(page.locator('.run')).toContainText('No training is chosen');
  await end(own);
  await expect(page.locator('main > .gone')).toBeVisible();
  await expect(page.locator('.run .gone')).toBeVisible();
  await page.locator('.view', { hasText: 'Plan' }).click();
  await page.locator('#batch-slider').focus();
  await page.keyboard.press('ArrowRight');
  await expect(verdict(page)).toContainText('does not answer');
  await expect(hull(page)).not.toBeVisible();
});

test('dark from the first paint on where the reader chose it', async ({ page, served }) => {
  await open(page, served);
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.route('**/app.js', () => undefined); // never comes
  await page.goto('about:blank');
  await page.goto(served.address, { waitUntil: 'commit' });
  await expect.poll(() => page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
  const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(ground).toBe('rgb(14, 21, 28)');
});

test('dark from the first paint on', async ({ page, served }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  await page.route('**/app.js', async (route) => {
    await held;
    await route.fallback();
  });
  await page.goto(served.address, { waitUntil: 'commit' });
  await expect.poll(() => page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
  const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(ground).toBe('rgb(14, 21, 28)'); // before any script has run
  release();
  await expect(verdict(page)).toContainText('fits');
});
