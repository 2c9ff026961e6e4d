// From the slider to new numbers, in the browser, for every network of the zoo: prints the slowest. `make pagespeed`;
// PAGE_DEVICES and PAGE_NETWORKS name others, with commas.
import type { Page } from '@playwright/test';
import { answered as quiet, choose, expect, open, test } from '../tests/served';

const devices = (process.env.PAGE_DEVICES ?? 'nvidia-t4,aws-g4dn.12xlarge,this').split(','); // one card, four, none
const only = process.env.PAGE_NETWORKS?.split(',');
const rest = 700; // milliseconds: by then the long questions are on their way

interface Move {
  model: string;
  device: string;
  batch: string;
  milliseconds: number;
}

// Moves the slider by one place and waits until all numbers of the first screen are new.
async function move(page: Page, places: number): Promise<{ batch: string; milliseconds: number }> {
  return page.evaluate(async (by) => {
    const slider = document.querySelector<HTMLInputElement>('#batch-slider')!;
    const shown = document.querySelector('.hero')!;
    const done = new Promise<void>((resolve) => {
      const look = new MutationObserver(() => {
        if (shown.hasAttribute('aria-busy')) return;
        look.disconnect();
        resolve();
      });
      look.observe(shown, { attributes: true });
    });
    const begin = performance.now();
    slider.value = `${Number(slider.value) + by}`;
    slider.dispatchEvent(new Event('input'));
    await done;
    return { batch: slider.getAttribute('aria-valuetext')!, milliseconds: performance.now() - begin };
  }, places);
}

// The slowest networks by the median of their moves, with the fastest and the slowest move beside it: on a machine that
// has other work to do, the slowest says more about that work.
function tell(device: string, models: string[], moves: Move[]): void {
  const rows = models.map((model) => {
    const times = moves.filter((each) => each.model === model).map((each) => each.milliseconds);
    times.sort((a, b) => a - b);
    return { model, least: times[0]!, median: times[Math.floor(times.length / 2)]!, most: times[times.length - 1]! };
  });
  rows.sort((a, b) => b.median - a.median);
  const over = moves.filter((each) => each.milliseconds > 100).length;
  console.log(`${device}: ${models.length} networks, ${moves.length} moves, ${over} of more than 100 ms. In ms:`);
  console.log('   least  median    most');
  const figure = (value: number) => value.toFixed(0).padStart(8);
  for (const { model, least, median, most } of rows.slice(0, 15))
    console.log(`${figure(least)}${figure(median)}${figure(most)}  ${model}`);
}

for (const device of devices)
  test(`every network on ${device}`, async ({ page, served }) => {
    test.setTimeout(0);
    const moves: Move[] = [];
    await open(page, served, `model=lenet5&device=${device}&batch=32`);
    await quiet(page);
    const reply = await page.request.get(new URL('/api/choices', page.url()).href);
    const choices = (await reply.json()) as { models: { name: string }[] };
    const models = only ?? [...choices.models.map(({ name }) => name), 'llama-3.1-8b'];
    for (const model of models) {
      await choose(page, 'Network', model);
      await page.locator('#batch-exact').fill('32');
      await quiet(page);
      for (const places of [1, 1, -3, 8]) moves.push({ model, device, ...(await move(page, places)) });
      await page.waitForTimeout(rest);
      for (const places of [1, -4]) moves.push({ model, device, ...(await move(page, places)) });
      await expect(page.locator('.hero')).not.toHaveClass(/failed/);
    }
    tell(device, models, moves);
  });
