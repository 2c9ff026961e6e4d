// A server of its own for each file of tests, with a runs folder of its own, and what tests do on the page.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, expect, type Locator, type Page, test as plain } from '@playwright/test';

export const program = process.env.PAGE_PROGRAM ?? '../build/plimsoll';

export interface Served {
  address: string; // with its token
  folder: string;
  server: ChildProcess;
}

async function addressOf(server: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of server.stdout!) {
    text += part;
    if (text.includes('}')) return (JSON.parse(text) as { address: string }).address;
  }
  throw new Error('the server ended');
}

// `more`: flags that may name files of the folder.
export async function serve(more: (folder: string) => string[] = () => []): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-page-'));
  const flags = ['--port', '0', '--json', '--runs', join(folder, 'runs'), ...more(folder)];
  const server = spawn(program, ['serve', ...flags]);
  return { address: await addressOf(server), folder, server };
}

export async function end({ server, folder }: Served): Promise<void> {
  const ended = new Promise((done) => server.once('exit', done));
  if (server.kill('SIGTERM')) await ended;
  rmSync(folder, { recursive: true, force: true });
}

// PAGE_DIST: the page from that folder instead of the one that the program has in it, to look at it while it is made.
async function fromFolder(context: BrowserContext): Promise<void> {
  const folder = process.env.PAGE_DIST;
  if (!folder) return;
  const files = {
    '/': ['index.html', 'text/html'],
    '/app.js': ['app.js', 'text/javascript'],
    '/theme.js': ['theme.js', 'text/javascript'],
    '/app.css': ['app.css', 'text/css'],
  };
  for (const [path, [name, contentType]] of Object.entries(files))
    await context.route(
      (url) => url.hostname === '127.0.0.1' && url.pathname === path,
      // What stands in a frame of another site is the server's to refuse.
      (route) =>
        route.request().frame().parentFrame()
          ? route.continue()
          : route.fulfill({ body: readFileSync(join(folder, name!)), contentType }),
    );
}

export const test = plain.extend<{ quiet: void }, { served: Served }>({
  served: [
    async ({}, use) => {
      const served = await serve();
      await use(served);
      await end(served);
    },
    { scope: 'worker' },
  ],
  // Whatever a test does, the page throws nothing and breaks no rule of its own content policy.
  quiet: [
    async ({ page, context }, use) => {
      const troubles: string[] = [];
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('console', (message) => {
        // What the page itself tells: a refusal, or a server that is gone.
        const refused = /status of 4\d\d|ERR_(CONNECTION|EMPTY|INCOMPLETE|FAILED)/.test(message.text());
        if (message.type() === 'error' && !refused) troubles.push(message.text());
      });
      await fromFolder(context);
      await use();
      expect(troubles).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

// As a visitor who follows a link: where only the part after # differed, the browser would stay on the page it has.
export async function open(page: Page, served: Served, state = ''): Promise<void> {
  await page.goto('about:blank');
  await page.goto(served.address.replace('#', `#${state}${state ? '&' : ''}`));
}

export const verdict = (page: Page): Locator => page.locator('.hero .verdict');
export const hull = (page: Page): Locator => page.locator('.hull svg');

// All numbers of the first screen are those of the question.
export const answered = (page: Page): Promise<void> =>
  expect(page.locator('.hero')).not.toHaveAttribute('aria-busy', 'true');

export async function choose(page: Page, what: 'Network' | 'Device', name: string): Promise<void> {
  const field = page.getByRole('combobox', { name: what });
  await field.click();
  await field.fill(name);
  await page.keyboard.press('Enter');
}

// A large number of the first screen, by its label: "Speed" → "92.0 images/s".
export const big = (page: Page, label: string | RegExp): Locator =>
  page
    .locator('.number')
    .filter({ has: page.locator('dt', { hasText: label }) })
    .locator('.value');

export async function job(page: Page): Promise<Locator> {
  const panel = page.locator('details.job');
  if ((await panel.getAttribute('open')) === null) await panel.locator('summary').click();
  return panel;
}

export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name, exact: true });

// What a click puts on the clipboard, once it is there.
export async function copiedBy(page: Page, button: Locator): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const read = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await button.click();
  await expect.poll(read).not.toBe('');
  return read();
}
