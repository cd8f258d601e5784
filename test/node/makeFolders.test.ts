import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders } from '../../core/node/writeFiles.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

test('folders are made from the top down, and may be there already', () => {
  const folder = join(temporaryFolder(), 'a/b/c');
  makeFolders(folder);
  makeFolders(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test('a file in the way is an error', () => {
  const file = join(temporaryFolder(), 'a');
  writeFileSync(file, '');
  expect(() => makeFolders(file)).toThrow('EEXIST');
  expect(() => makeFolders(join(file, 'b'))).toThrow(/EEXIST|ENOTDIR/);
});

test.runIf(process.platform === 'linux')('where the system makes no folder, the attempt ends', () => {
  expect(() => makeFolders('/proc/agent-stack/a/b')).toThrow('ENOENT');
});
