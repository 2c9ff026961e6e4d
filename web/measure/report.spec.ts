// How large the report of a deep network is, and how long a browser takes to open it. `make pagespeed`.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { program } from '../tests/served';

for (const model of ['resnet152', 'densenet201', 'efficientnet_v2_l'])
  test(`the report of ${model}`, async ({ browser }, info) => {
    const file = info.outputPath(`${model}.html`);
    execFileSync(program, ['report', model, '--device', 'nvidia-t4', '-o', file, '--quiet']);
    const times: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const page = await browser.newPage();
      await page.goto(`file://${file}`);
      times.push(
        await page.evaluate(async () => {
          await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
          return performance.now();
        }),
      );
      expect(await page.locator('table').count()).toBeGreaterThan(0);
      await page.close();
    }
    const size = statSync(file).size / 1e6;
    console.log(`${model}: ${size.toFixed(2)} MB, opened in ${times.map((time) => time.toFixed(0)).join(', ')} ms`);
  });
