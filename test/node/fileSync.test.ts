import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileSync } from '../../core/node/fileSync.js';
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

/** Counts syncs, and how many were under way at a time. */
function countSyncs(fail: (count: number) => boolean = () => false): { count: number } {
  const seen = { count: 0 };
  watchFs((call) => {
    if (call !== 'fsync') return undefined;
    seen.count += 1;
    return fail(seen.count) ? systemError('EIO') : undefined;
  });
  return seen;
}

test('calls that wait at the same moment sync the folder that they share once', async () => {
  const { files } = runs(20);
  const seen = countSyncs();
  const sync = createFileSync();
  await Promise.all(files.map((each) => sync(each)));
  // Two files and a folder each, and the folder above all of them once.
  expect(seen.count).toBe(process.platform === 'win32' ? 40 : 61);
});

test('calls that come while others are answered are answered next', async () => {
  const { files } = runs(3);
  const seen = countSyncs();
  const sync = createFileSync();
  const first = sync(files[0] ?? []);
  await new Promise(setImmediate);
  const others = [sync(files[1] ?? []), sync(files[2] ?? [])];
  await Promise.all([first, ...others]);
  expect(seen.count).toBe(process.platform === 'win32' ? 6 : 4 + 7);
});

test('a failure is told to all that waited for it, and to no others', async () => {
  const { files } = runs(4);
  let failing = true;
  countSyncs((count) => failing && count === 5);
  const sync = createFileSync();
  const ends = await Promise.allSettled(files.map((each) => sync(each)));
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  failing = false;
  await expect(sync(files[0] ?? [])).resolves.toBeUndefined();
});

test('a file that is not there is told of', async () => {
  const sync = createFileSync();
  await expect(sync([join(temporaryFolder(), 'none.json')])).rejects.toMatchObject({ code: 'ENOENT' });
});
