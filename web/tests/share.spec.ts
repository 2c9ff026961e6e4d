// What can be taken along: the command, the link, the report, a picture.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, open, program, test, verdict } from './served';

test('the command asks the same in a terminal', async ({ page, context, served }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, served, 'model=alexnet&device=nvidia-t4&batch=96&dtype=amp&loadLine=0.9');
  await expect(verdict(page)).toContainText('Batch 96');
  await page.getByRole('button', { name: 'Copy command' }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toBe('plimsoll fit alexnet --device nvidia-t4 --load-line 0.9 --batch 96 --dtype amp');
  const said = execFileSync(program, [...command.split(' ').slice(1), '--json']).toString();
  await expect(verdict(page)).toHaveText((JSON.parse(said) as { sentences: string[] }).sentences[0]!);
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
