// Light and dark, the keyboard alone, and nothing that moves or is cut.
import { answered, expect, open, test, verdict } from './served';

test('dark mode is kept, and follows the system before', async ({ page, served }) => {
  await open(page, served);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole('button', { name: 'Dark' }).click();
  expect(await ground()).not.toBe(light);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.evaluate(() => localStorage.clear());
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('everything can be reached and done by keyboard', async ({ page, served }) => {
  await open(page, served);
  await expect(verdict(page)).toContainText('Batch 32');
  await expect(page.locator('.carry-more .chip').first()).toBeVisible();
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement as HTMLElement;
      return (at as HTMLInputElement).labels?.[0]?.textContent ?? at.textContent ?? '';
    });
  const reached: string[] = [];
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press('Tab');
    const name = await focused();
    reached.push(name);
    if (name === 'Network') {
      await page.keyboard.type('vgg16');
      await page.keyboard.press('Enter');
      await expect(verdict(page)).toContainText('Batch 32');
    }
    if (name.startsWith('Batch')) {
      await page.keyboard.press('ArrowRight');
      await expect(verdict(page)).toContainText('Batch 40');
    }
    if (name === 'Fit') {
      await page.keyboard.press('ArrowRight');
      break;
    }
  }
  for (const name of ['Plan', 'Trainings', 'Network', 'Device', 'Pin to compare', 'Copy command', 'Save report'])
    expect(reached).toContain(name);
  expect(reached.some((name) => name.startsWith('Job'))).toBe(true);
  expect(await focused()).toBe('Layers');
});

for (const width of [1440, 390])
  test(`what is below stays where it is when the slider moves, ${width} pixels`, async ({ page, served }) => {
    await page.setViewportSize({ width, height: 844 });
    await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32');
    await answered(page);
    await expect(page.locator('.carry-more .chip').first()).toBeVisible();
    const top = async () => (await page.locator('.slider').boundingBox())!.y;
    const before = await top();
    await page.locator('#batch-slider').focus();
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight');
    await expect(verdict(page)).toContainText('Batch 56');
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1);
  });

test('a phone holds the answer on its first screen', async ({ page, served }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, served);
  await answered(page);
  for (const part of ['.short', '.hull svg', '#batch-slider', '.numbers']) {
    const box = (await page.locator(`.hero ${part}, ${part}`).first().boundingBox())!;
    expect(box.y + box.height, part).toBeLessThanOrEqual(844);
  }
});

test('on paper every panel is there, in its colours', async ({ page, served }, info) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32');
  await answered(page);
  await expect(page.locator('.tab-fit .band').first()).toBeAttached();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  // The screen turns dark while it is printed: words stay dark on light paper.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(20, 33, 43)');
  for (const part of ['.short', '.verdict', '.hull svg', '.numbers', 'details.job', '.tab-fit svg', '.tab-fit table'])
    await expect(page.locator(part).first(), part).toBeVisible();
  // Drawings are made anew for the width of paper: what is looked at is what is there then.
  for (const part of ['.hull .part', '.stamp', '.tab-fit .band', '.swatch'])
    await expect(page.locator(part).first(), part).toHaveCSS('print-color-adjust', 'exact');
  const pdf = await page.pdf({ path: info.outputPath('page.pdf'), format: 'A4' });
  expect(pdf.length).toBeGreaterThan(10_000);
});

// The largest batch of a small network is a long number at the very end of the slider.
test('the mark of the slider stays over the slider', async ({ page, served }) => {
  await open(page, served, 'model=mlp&device=nvidia-h100-80gb&batch=16');
  await answered(page);
  const track = (await page.locator('.track').boundingBox())!;
  for (const model of ['mlp', 'vgg16']) {
    await open(page, served, `model=${model}&device=nvidia-h100-80gb&batch=1`);
    await answered(page);
    const mark = page.locator('.mark');
    const box = (await mark.boundingBox())!;
    expect(box.x, model).toBeGreaterThanOrEqual(track.x - 1);
    expect(box.x + box.width, model).toBeLessThanOrEqual(track.x + track.width + 2);
  }
});
