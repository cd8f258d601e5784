import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { syncFiles } from '../../core/node/writeFiles.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { systemError, watchFs } from '../support/watchFs.js';

/** Folders of runs, each with two files. */
function runs(count: number): { readonly root: string; readonly files: readonly (readonly string[])[] } {
  const root = temporaryFolder();
  const files = Array.from({ length: count }, (_, index) => {
    const folder = join(root, 'runs', String(index));
    mkdirSync(folder, { recursive: true });
    return ['run.json', 'config.json'].map((name) => {
      writeFileSync(join(folder, name), '{}');
      return join(folder, name);
    });
  });
  return { root, files };
}

/** Counts syncs. */
function countSyncs(fail: (count: number) => boolean = () => false): { count: number } {
  const seen = { count: 0 };
  watchFs((call) => {
    if (call !== 'fsync') return undefined;
    seen.count += 1;
    return fail(seen.count) ? systemError('EIO') : undefined;
  });
  return seen;
}

test('files, their folder and the folder around it are synced once each', async () => {
  const { files } = runs(1);
  const seen = countSyncs();
  await syncFiles(files.flat());
  expect(seen.count).toBe(process.platform === 'win32' ? 2 : 4);
});

test('a failure is told to the caller, and later calls succeed', async () => {
  const { files } = runs(1);
  let failing = true;
  countSyncs((count) => failing && count === 3);
  await expect(syncFiles(files.flat())).rejects.toMatchObject({ code: 'EIO' });
  failing = false;
  await expect(syncFiles(files.flat())).resolves.toBeUndefined();
});

test('a file that is not there is told of', async () => {
  await expect(syncFiles([join(temporaryFolder(), 'none.json')])).rejects.toMatchObject({ code: 'ENOENT' });
});
