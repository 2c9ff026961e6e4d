// How long the first view takes after a cold start: of the server, of the browser, and with no step made yet; and how
// much is sent for it. `make pagespeed`.
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { answered, end, expect, program, serve, test } from '../tests/served';

test('the first view', async ({ launchOptions }) => {
  expect(program).not.toBe('');
  for (let i = 0; i < 3; i += 1) {
    const served = await serve();
    const browser = await chromium.launch(launchOptions);
    const page = await browser.newPage();
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (!new URL(response.url()).pathname.startsWith('/api')) bodies.push(response.body());
    });
    const begin = performance.now();
    await page.goto(served.address);
    await page.locator('.hero .stamp').waitFor();
    await answered(page);
    const time = performance.now() - begin;
    const sent = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
    console.log(`first view ${time.toFixed(0)} ms; page ${(sent / 1e3).toFixed(0)} KB compressed`);
    await browser.close();
    await end(served);
  }
});
