// How numbers and sentences are said, without a page.
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { dollars, roundDollars, seconds, wrongNumber } from '../src/base/units';
import { plain } from '../src/base/words';
import { jobFields } from '../src/ask/job_fields';

test('no time ends with sixty of a unit', () => {
  expect(seconds(66 * 60 + 59.7)).toBe('67 min 0 s');
  expect(seconds(5 * 3600 - 20)).toBe('5 h 0 min');
  expect(seconds(3 * 86400 - 100)).toBe('3 d 0 h');
  const odd: string[] = [];
  for (let value = 100; value < 1e6; value *= 1.0003)
    if (/ (60 (s|min)|24 h)$/.test(seconds(value))) odd.push(seconds(value));
  expect(odd).toEqual([]);
});

test('money and numbers are told as people say them', () => {
  expect(dollars(0.027)).toBe('0.027 USD');
  expect(roundDollars(10)).toBe('10 USD');
  expect(roundDollars(0.1)).toBe('0.1 USD');
  expect(wrongNumber('2', 0.01, 1, false)).toBe('A number from 0.01 to 1');
  expect(wrongNumber('2.5', 1, 64, true)).toBe('A whole number from 1 to 64');
  expect(wrongNumber('', 1, 64, true)).not.toBe('');
  expect(wrongNumber('64', 1, 64, true)).toBe('');
});

test('sentences of the program name no flags and tell memory in powers of two', () => {
  expect(plain('Equally fast in every step (--jitter SHARE).')).toBe('Equally fast in every step.');
  expect(plain('In one host (PCIe) (--link, --per-node).')).toBe('In one host (PCIe).');
  expect(plain('5 samples were assumed (--tokens N, or --samples N).')).toBe(
    '5 samples were assumed (“Tokens in all”, or “Samples in the set”).',
  );
  expect(plain('Give it with --critical-batch N, or as that of a run with --noise-scale N. Published ones')).toBe(
    'Give it with “Critical batch”. Published ones',
  );
  expect(plain('give --load-line another value')).toBe('give “Load line” another value');
  expect(plain('it has 80 GB')).toBe('it has 74.5 GiB');
});

// Beside the fields of a job: those of the first row, of the slider and of the tabs.
const others = ['Network', 'Device', 'Batch', 'Sequences at once', 'Sizes that were left open', 'Link between them'];
const ofTabs = ['Critical batch', 'Data', 'Learning rate', 'Input size'];

test('a sentence names no field that the page does not have', () => {
  const fields = [...jobFields.map(({ label }) => label.split(',')[0]!), ...others, ...ofTabs];
  const rows = readFileSync(new URL('../src/generated.ts', import.meta.url), 'utf8').match(
    /interface \w+Request \{[^}]*\}/g,
  )!;
  const flags = rows.flatMap((request) => [...request.matchAll(/^  (\w+)\??:/gm)].map(([, name]) => name!));
  expect(new Set(flags).size).toBeGreaterThan(50);
  for (const flag of new Set(flags)) {
    const said = plain(`It was assumed (--${flag.replaceAll('_', '-')} N).`);
    const name = /“(.*)”/.exec(said)?.[1];
    if (name === undefined) expect(said).toBe('It was assumed.');
    else expect(fields, flag).toContain(name);
  }
});
