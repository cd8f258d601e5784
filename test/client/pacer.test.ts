import { createScanner } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { createPacer } from '../../client/views/tests/pacer.js';
import { scanCases } from '../../core/eval/scanCases.js';

test('others have their turn when a slice of time is used up, and not before', async () => {
  let time = 0;
  const pace = createPacer(() => time);
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  await pace();
  time = 9;
  await pace();
  expect(turns).toBe(0);
  time = 10;
  await pace();
  expect(turns).toBe(1);
});

test('a file of 10,000 cases is read in pieces of a few cases, between which others may have their turn', () => {
  const cases = Array.from({ length: 10_000 }, (_, index) => ({
    name: `case ${index}`,
    input: { text: 'x' },
    expect: [{ output_field: 'tone', operator: 'equals', value: 'formal' }],
  }));
  const text = JSON.stringify({ cases });
  const scanner = createScanner(text, true);
  let tokens = 0;
  while (scanner.scan() !== 17) tokens += 1;
  const steps = scanCases('many', text);
  let pieces = 1;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pieces += 1;
  expect(step.value.cases).toHaveLength(10_000);
  expect(Math.ceil(tokens / pieces)).toBeLessThanOrEqual(512);
});
