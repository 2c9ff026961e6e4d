// What can be taken along: the command, the link, the report, a picture.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { colours } from './picture_colours';
import { copiedBy, expect, job, open, program, tab, test, verdict } from './served';

test('the command asks the same in a terminal', async ({ page, served }) => {
  await open(page, served, 'model=alexnet&device=nvidia-t4&batch=96&dtype=amp&loadLine=0.9');
  await expect(verdict(page)).toContainText('Batch 96');
  const command = await copiedBy(page, page.getByRole('button', { name: 'Copy command' }));
  expect(command).toBe('plimsoll fit alexnet --device nvidia-t4 --load-line 0.9 --batch 96 --dtype amp');
  const said = execFileSync(program, [...command.split(' ').slice(1), '--json']).toString();
  await expect(verdict(page)).toHaveText((JSON.parse(said) as { sentences: string[] }).sentences[0]!);
});

test('each tab has the command that tells the same', async ({ page, served }) => {
  test.slow(); // each of them is run
  const copied = () => copiedBy(page, page.getByRole('button', { name: 'Copy command' }).first());
  await open(page, served, 'model=resnet18&device=nvidia-t4&batch=32&epochs=3&link=10gbe&most=8');
  await expect(verdict(page)).toContainText('Batch 32');
  for (const [name, verb] of [
    ['Layers', 'weigh'],
    ['Devices', 'place'],
    ['Scale', 'scale'],
  ] as const) {
    await tab(page, name).click();
    const command = await copied();
    expect(command).toMatch(new RegExp(`^plimsoll ${verb} resnet18 `));
    const said = JSON.parse(execFileSync(program, [...command.split(' ').slice(1), '--json']).toString()) as object;
    expect(said).toHaveProperty('schema', `plimsoll.${verb}/1`);
  }
  await open(page, served, 'model=llama-3.1-8b&device=nvidia-h100-80gb&mode=generate&concurrency=4&tab=serve');
  await expect(verdict(page)).toContainText('4 sequences');
  const command = await copied();
  expect(command).toMatch(/^plimsoll place llama-3.1-8b --mode generate .*--concurrency 4/);
  expect(execFileSync(program, [...command.split(' ').slice(1), '--json']).toString()).toContain('tokens_per_second');
});

test('each tab has a picture of what it shows', async ({ page, served }) => {
  test.slow();
  await open(page, served, 'model=resnet18&device=nvidia-t4&batch=32&link=10gbe&most=4');
  for (const [name, part] of [
    ['Layers', '.cell'],
    ['Roofline', '.roof'],
    ['Devices', '.place.taken'],
    ['Scale', '.measured'],
  ] as const) {
    await tab(page, name).click();
    const drawn = page.locator(`[role=tabpanel]:visible ${part}`).first();
    const colour = await drawn.evaluate((each) => {
      const { fill, stroke } = getComputedStyle(each);
      return fill === 'none' ? stroke : fill;
    });
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save picture' }).click(),
    ]);
    expect(picture.suggestedFilename()).toMatch(new RegExp(`^plimsoll-${name.toLowerCase()}-resnet18-.*\\.png$`));
    expect(await colours(page, (await picture.path())!), name).toContain(colour);
  }
});

test('a language model has its report too, with what was moved on the page', async ({ page, served }) => {
  await open(page, served);
  await page.getByRole('button', { name: /LoRA, on a 4090/ }).click();
  await expect(verdict(page)).toContainText('1,024 tokens');
  await (await job(page)).getByLabel('Load line').fill('0.9');
  await expect(page.locator('.hull .line-text')).toContainText('90 %');
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save report' }).click(),
  ]);
  const html = readFileSync((await report.path())!, 'utf8');
  for (const part of ['✓ It fits', 'LoRA of rank 16', 'load line 90 %', 'tokens/s', '--method lora:16'])
    expect(html).toContain(part);
});

test('a report and a picture are saved', async ({ page, served }) => {
  await open(page, served, 'model=lenet5&device=nvidia-t4&batch=96');
  await expect(verdict(page)).toContainText('Batch 96');
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save picture' }).click(),
  ]);
  expect(picture.suggestedFilename()).toMatch(/^plimsoll-lenet5-batch-96-fits.*\.png$/);
  const bytes = readFileSync((await picture.path())!);
  expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['PNG', 1200, 630]);
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save report' }).click(),
  ]);
  const html = readFileSync((await report.path())!, 'utf8');
  expect(report.suggestedFilename()).toBe('plimsoll-lenet5-nvidia-t4.html');
  expect(html).toContain('A batch of 96 fits nvidia-t4');
});
