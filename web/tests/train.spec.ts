// The Train tab: what starts a training, and, on a server that may, starting, watching, stopping and going on with one.
import type { Page } from '@playwright/test';
import { accessible } from './axe';
import { copiedBy, end, expect, open, serve, type Served, tab, test } from './served';
import { colours } from './picture_colours';
import { writeSet } from './training_set';

const panel = (page: Page) => page.locator('[role=tabpanel]:visible');
const live = (page: Page) => panel(page).locator('.train-live');

test('the command is there to copy, and how to start trainings from here', async ({ page, served }) => {
  await open(page, served, 'model=resnet50&device=nvidia-t4&batch=48&optimizer=adam&epochs=7&tab=train');
  await expect(panel(page).locator('code').last()).toHaveText(
    'plimsoll train resnet50 --data cifar10 --classes 10 --batch 48 --optimizer adam --epochs 7',
  );
  await expect(panel(page).locator('.train-off code')).toHaveText('plimsoll serve --train');
  await expect(panel(page).getByRole('button', { name: 'Start the training' })).toBeHidden();
  await expect(panel(page).locator('.train-figures')).toContainText(/Planned memory[\d.]+ [MG]iB/);
  await panel(page).getByLabel('Input size').fill('3x32x32');
  await page.keyboard.press('Tab');
  await expect(panel(page).locator('code').last()).toContainText('--input 3x32x32');
  const rate = panel(page).locator('.field', { has: page.getByLabel('Learning rate') });
  await rate.locator('input').fill('-1');
  await page.keyboard.press('Tab');
  await expect(rate.locator('.wrong')).toContainText('A number from 0');
  await expect(panel(page).locator('code').last()).not.toContainText('--lr');
  const share = page.getByRole('group', { name: 'Take it along' });
  const copied = await copiedBy(page, share.getByRole('button', { name: 'Copy command' }));
  expect(copied).toMatch(/^plimsoll train resnet50 --data cifar10 /);
  await panel(page).getByRole('button', { name: 'Look at the trainings' }).click();
  await expect(page.locator('.trainings')).toBeVisible();
});

test('of a network that PyTorch trains the plan alone is told', async ({ page, served }) => {
  await open(page, served, 'model=llama-3.2-1b&device=nvidia-t4&tab=train');
  await expect(panel(page)).toContainText('Plimsoll itself trains networks of the zoo');
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save picture' }).click(),
  ]);
  expect(picture.suggestedFilename()).toMatch(/^plimsoll-llama/); // the answer's, and so it is told
  await expect(page.getByRole('group', { name: 'Take it along' })).toContainText('This tab draws nothing');
});

// A server that may start trainings, on one set.
const may = test.extend<object, { served: Served }>({
  served: [
    async ({}, use) => {
      const served = await serve((folder) => ['--train', '--data', writeSet(folder)]);
      await use(served);
      await end(served);
    },
    { scope: 'worker' },
  ],
});

// The colour that the curves of the first run have.
const run0 = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const probe = document.createElement('span');
    probe.style.color = 'var(--run-0)';
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });

const stepOf = async (page: Page): Promise<number> => {
  const found = /step ([\d,]+)/.exec((await live(page).locator('.progress').textContent()) ?? '');
  return Number((found?.[1] ?? '0').replaceAll(',', ''));
};

async function stop(page: Page): Promise<void> {
  await live(page).getByRole('button', { name: 'Stop and save' }).click();
  await live(page).getByRole('button', { name: 'Yes, stop it' }).click();
  await expect(live(page).locator('.progress')).toContainText('stopped');
}

may('a training is started, watched, stopped after a confirmation and resumed', async ({ page, served }, info) => {
  await open(page, served, 'model=mlp&device=this&batch=16&epochs=100000&tab=train');
  await expect(live(page)).toContainText('Nothing trains now');
  await expect(panel(page).locator('select')).toHaveValue('set'); // its name, not where it is
  const start = panel(page).getByRole('button', { name: 'Start the training' });
  await start.click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(0);
  await expect(live(page).locator('h2')).toHaveText('mlp-1');
  const first = await stepOf(page);
  await expect.poll(() => stepOf(page)).toBeGreaterThan(first); // the curves grow
  await expect(live(page).locator('canvas')).toHaveCount(5);
  await expect(start).toBeDisabled(); // one at a time
  await live(page).getByRole('button', { name: 'Stop and save' }).click();
  await live(page).getByRole('button', { name: 'No, go on' }).click();
  const before = await stepOf(page);
  await expect.poll(() => stepOf(page)).toBeGreaterThan(before); // nothing was stopped
  await page.screenshot({ path: info.outputPath('training.png'), fullPage: true });
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save picture' }).click(),
  ]);
  await picture.saveAs(info.outputPath('picture.png'));
  expect(picture.suggestedFilename()).toMatch(/^plimsoll-train-mlp-.*\.png$/);
  expect(await colours(page, info.outputPath('picture.png'))).toContain(await run0(page)); // the curves are on it
  await accessible(page, 'a training that runs');
  await stop(page);
  const saved = await stepOf(page);
  await expect(start).toBeEnabled();
  await live(page).getByRole('button', { name: 'Go on with it' }).click();
  await expect(live(page).locator('.progress')).not.toContainText('stopped');
  await expect.poll(() => stepOf(page)).toBeGreaterThan(saved);
  await stop(page);
});

may('what cannot be trained is said beside the button', async ({ page, served }) => {
  await open(page, served, 'model=textcnn&device=this&batch=16&tab=train');
  await panel(page).getByRole('button', { name: 'Start the training' }).click();
  await expect(panel(page).locator('.said.no').first()).not.toBeEmpty();
  await expect(panel(page).getByRole('button', { name: 'Start the training' })).toBeEnabled();
});

may('a run of the list goes on from there too', async ({ page, served }) => {
  await open(page, served, 'model=mlp&device=this&batch=16&epochs=100000&tab=train');
  await panel(page).getByRole('button', { name: 'Start the training' }).click();
  await expect.poll(() => stepOf(page)).toBeGreaterThan(0);
  await stop(page);
  await page.getByRole('button', { name: 'Trainings', exact: true }).click();
  await page.locator('.runs li').first().locator('button').click();
  await page.locator('.run').getByRole('button', { name: 'Go on with it' }).click();
  await expect(page.locator('.runs li').first().locator('.running')).toHaveText('running');
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await tab(page, 'Train').click();
  await stop(page);
});
