// Dark mode, the keyboard alone, contrast, and no sideways scrolling or moving layout at three widths.
import { card, expect, open, test } from './served';

test('dark mode is kept', async ({ page, served }) => {
  await open(page, served);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole('button', { name: 'Dark' }).click();
  expect(await ground()).not.toBe(light);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('dark mode follows the system', async ({ page, served }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, served);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('everything can be reached and done by keyboard', async ({ page, served }) => {
  await open(page, served);
  await expect(card(page).locator('.verdict')).toContainText('Batch 32');
  const focused = () => page.evaluate(() => {
    const at = document.activeElement as HTMLElement;
    return (at as HTMLInputElement).labels?.[0]?.textContent ?? at.textContent ?? '';
  });
  const reached: string[] = [];
  for (let i = 0; i < 24; i += 1) {
    await page.keyboard.press('Tab');
    const name = await focused();
    reached.push(name);
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
    expect(outline, name).not.toBe('none');
    if (name.startsWith('Batch')) {
      await page.keyboard.press('ArrowRight');
      await expect(card(page).locator('.verdict')).toContainText('Batch 40');
    }
    if (name === 'Compare with another') {
      await page.keyboard.press('Enter');
      await expect(page.locator('.card')).toHaveCount(2);
      break;
    }
  }
  for (const name of ['Plan', 'Trainings', 'Copy link', 'Number format', 'Optimizer', 'Compare with another'])
    expect(reached).toContain(name);
  expect(await focused()).toBe('Network'); // the new card's
  await page.keyboard.type('vgg16');
  await expect(card(page, 1).locator('.weight')).toContainText('138 M');
});

for (const theme of ['light', 'dark'] as const)
  test(`contrast is AA in ${theme}`, async ({ page, served }) => {
    await page.emulateMedia({ colorScheme: theme });
    await open(page, served, 'model=vgg16&device=nvidia-t4&batch=512');
    await expect(card(page).locator('.others')).toContainText('What would carry more');
    const low = await page.evaluate(() => {
      const numbers = (text: string) => text.match(/[\d.]+/g)!.map(Number);
      const light = (text: string) => {
        const [r, g, b] = numbers(text).map((value) => {
          const share = value / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        }) as [number, number, number];
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (element: Element | null): string => {
        for (let at = element; at; at = at.parentElement) {
          const colour = getComputedStyle(at).backgroundColor;
          if ((numbers(colour)[3] ?? 1) > 0) return colour;
        }
        return 'rgb(255, 255, 255)';
      };
      const wrong: string[] = [];
      for (const element of document.querySelectorAll('button,label,dt,dd,td,th,p,li,h1,span,figcaption')) {
        if (!element.textContent?.trim() || !(element as HTMLElement).offsetParent) continue;
        if ((element as HTMLButtonElement).disabled) continue;
        const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) wrong.push(`${element.textContent.slice(0, 40)}: ${ratio.toFixed(2)}`);
      }
      return wrong;
    });
    expect(low).toEqual([]);
  });

for (const width of [1440, 768, 390])
  test(`nothing is cut, overlaps or moves at ${width} pixels`, async ({ page, served }, info) => {
    await page.setViewportSize({ width, height: 900 });
    const link = 'model=resnet50&device=nvidia-t4&model=vgg16&device=nvidia-v100-32gb&batch=64';
    await open(page, served, link);
    for (const at of [0, 1]) await expect(card(page, at).locator('.others')).toContainText('What would carry more');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wide).toBeLessThanOrEqual(0);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('button,dd,dt,label,.verdict,.weight,td,th')]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        .map((element) => element.textContent),
    );
    expect(cut).toEqual([]);
    // What comes last, when the slider rests, has its place already.
    const heights = await page.locator('.others').evaluateAll((all) => all.map((each) => each.clientHeight));
    const needed = await page.locator('.others').evaluateAll((all) => all.map((each) => each.scrollHeight));
    expect(Math.max(...heights)).toBe(Math.min(...heights));
    expect(needed).toEqual(heights);
    const top = async () => (await card(page, 1).locator('.chart').boundingBox())!.y;
    const before = await top();
    await page.locator('#batch-slider').focus();
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight');
    await expect(card(page, 1).locator('.verdict')).toContainText('Batch 112');
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1);
    await page.screenshot({ path: info.outputPath(`plan-${width}.png`), fullPage: true });
  });
