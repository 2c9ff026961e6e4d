// axe-core's rules, on whatever is shown. It is run by the browser's own tools, as the page's policy lets no script in.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

export async function accessible(page: Page, name: string): Promise<void> {
  const found = (await page.evaluate(
    `${source}; axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)`,
  )) as Violation[];
  const told = found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map((node) => `${node.target.join(' ')} (${node.failureSummary.slice(0, 160)})`)
        .slice(0, 3)
        .join('; ')}`,
  );
  expect(told, name).toEqual([]);
}
