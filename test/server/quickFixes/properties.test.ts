import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultyProjects } from '../../fuzz/faultyProjects.js';
import { checkFixes } from '../../fuzz/fixChecks.js';
import { runs } from '../../support/effort.js';

test('no fix of any finding breaks a file, loses a value, leaves its finding or brings an error', async () => {
  await fc.assert(
    fc.asyncProperty(faultyProjects, async ({ files, path, ...given }) => {
      expect(await checkFixes(files, path, given)).toEqual([]);
    }),
    { numRuns: runs(100, 2_500) },
  );
}, 600_000);
