// A server of its own for each file of tests, with a runs folder of its own, and what tests do on the page.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test as plain } from '@playwright/test';

export const program = process.env.PAGE_PROGRAM ?? '../build/plimsoll';

interface Served {
  address: string; // with its token
  folder: string;
}

async function addressOf(server: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of server.stdout!) {
    text += part;
    if (text.includes('}')) return (JSON.parse(text) as { address: string }).address;
  }
  throw new Error('the server ended');
}

export const test = plain.extend<{ quiet: void }, { served: Served }>({
  served: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'plimsoll-page-'));
      const server = spawn(program, ['serve', '--port', '0', '--json', '--runs', join(folder, 'runs')]);
      await use({ address: await addressOf(server), folder });
      server.kill('SIGTERM');
      await new Promise((done) => server.once('exit', done));
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  // Whatever a test does, the page throws nothing and breaks no rule of its own content policy.
  quiet: [
    async ({ page }, use) => {
      const troubles: string[] = [];
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('console', (message) => {
        const refused = /status of 4\d\d/.test(message.text()); // an answer that the page shows
        if (message.type() === 'error' && !refused) troubles.push(message.text());
      });
      await use();
      expect(troubles).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export async function open(page: Page, served: Served, state = ''): Promise<void> {
  await page.goto(served.address.replace('#', `#${state}${state ? '&' : ''}`));
}

export const card = (page: Page, at = 0) => page.locator('.card').nth(at);

// The figure under a name: "One step" → "492 ms".
export async function figure(page: Page, name: string, at = 0): Promise<string> {
  const row = card(page, at).locator('.figures > div', { hasText: name });
  return (await row.locator('dd').textContent()) ?? '';
}
