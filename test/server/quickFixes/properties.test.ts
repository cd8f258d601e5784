import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultyProjects } from '../../fuzz/faultyProjects.js';
import { checkFixes } from '../../fuzz/fixChecks.js';

/** `TEST_SEED=random` tries others; 2,500 take about a minute and a half of one core. */
const numRuns = 300;

test('no fix of any finding breaks a file, loses a value, leaves its finding or brings an error', async () => {
  await fc.assert(
    fc.asyncProperty(faultyProjects, async ({ files, path, ...given }) => {
      expect(await checkFixes(files, path, given)).toEqual([]);
    }),
    { numRuns },
  );
});
