// The panel for more workers, with an answer of `plimsoll scale` in the server's place: it shows where that verb is
// answered, and nowhere else.
import { expect, open, test } from './served';

const run = (workers: number, speed: number, efficiency: number) => ({
  workers,
  global_batch: 32 * workers,
  step_seconds: 0.25,
  images_per_second: speed,
  efficiency,
  total_seconds: 400 / workers,
  cost: workers === 1 ? null : 1.5,
});

const answer = {
  schema: 'plimsoll.scale/1',
  runs: [run(1, 126, 1), run(2, 243, 0.97), run(32, 3690, 0.92)],
  knee: run(24, 2826, 0.94),
  verdict: { reasons: ['The knee is at 24 workers.'] },
  notes: [],
};

test('it is shown where the program answers scale', async ({ page, served }) => {
  await page.route('**/api/choices', async (route) => {
    const response = await route.fetch();
    const choices = (await response.json()) as { verbs: string[] };
    await route.fulfill({ response, json: { ...choices, verbs: [...new Set([...choices.verbs, 'scale'])] } });
  });
  let asked: Record<string, unknown> = {};
  await page.route('**/api/scale', async (route) => {
    asked = route.request().postDataJSON() as Record<string, unknown>;
    await route.fulfill({ json: answer });
  });
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=32&link=10gbe&critical=800');
  const panel = page.getByRole('region', { name: 'More workers' });
  await expect(panel.locator('.knee')).toContainText('24 (knee)');
  await expect(panel).toContainText('The knee is at 24 workers.');
  await expect(panel.locator('canvas')).toHaveCount(1);
  expect(asked).toMatchObject({ model: 'resnet50', link: '10gbe', critical_batch: 800, batch: 32 });
  await page.getByLabel('Mode').selectOption('inference');
  await expect(panel).toBeHidden();
});

test('it is not there where the program does not', async ({ page, served }) => {
  await page.route('**/api/choices', async (route) => {
    const response = await route.fetch();
    const choices = (await response.json()) as { verbs: string[] };
    await route.fulfill({ response, json: { ...choices, verbs: choices.verbs.filter((verb) => verb !== 'scale') } });
  });
  await open(page, served);
  await expect(page.locator('.card .verdict')).toContainText('fits');
  await expect(page.getByRole('region', { name: 'More workers' })).toHaveCount(0);
});
