import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryPlace, tidyTemporaries } from '../../core/node/temporaryFiles.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

function project() {
  const root = temporaryFolder();
  mkdirSync(join(root, 'config/agents/A'), { recursive: true });
  const write = (place: string) => {
    writeFileSync(place, 'x');
    return place;
  };
  return { root, write, place: join(root, 'config/agents/A/v1.json') };
}

/** The process id of a process that has ended. */
function goneProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

test('what a process that is gone was writing is removed, and nothing else', () => {
  const { root, write, place } = project();
  const mine = write(temporaryPlace(place));
  const gone = write(temporaryPlace(place).replace(`.${process.pid}-`, `.${goneProcess()}-`));
  const [file, like] = [write(place), write(join(root, 'config/.notes.tmp'))];
  tidyTemporaries(root, 'config');
  expect([mine, gone, file, like].map(existsSync)).toEqual([true, false, true, true]);
});

test.runIf(process.platform === 'linux')('a later process with the same number is told from the one that wrote', () => {
  const { root, write, place } = project();
  const earlier = write(temporaryPlace(place).replace(/-\d+-/, '-1-'));
  tidyTemporaries(root, 'config');
  expect(existsSync(earlier)).toBe(false);
});

test('what another machine wrote, or an earlier version, stays for a day', () => {
  const { root, write, place } = project();
  const other = write(temporaryPlace(place).replace(/-[0-9a-f]{8}\./, '-00000000.'));
  const before = write(join(root, 'config/.mcp.json.0193f1c2-a7b8-7c3d-9e4f-5a6b7c8d9e0f.tmp'));
  tidyTemporaries(root, 'config');
  expect([other, before].map(existsSync)).toEqual([true, true]);
  const then = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const one of [other, before]) utimesSync(one, then, then);
  tidyTemporaries(root, 'config');
  expect([other, before].map(existsSync)).toEqual([false, false]);
});

test('a folder that is not there or leads elsewhere is left alone', () => {
  const { root } = project();
  const elsewhere = temporaryFolder();
  const theirs = temporaryPlace(join(elsewhere, 'x')).replace(`.${process.pid}-`, `.${goneProcess()}-`);
  writeFileSync(theirs, '');
  symlinkSync(elsewhere, join(root, 'linked'));
  symlinkSync(elsewhere, join(root, 'config/linked'));
  for (const folder of ['none', 'linked', 'config']) tidyTemporaries(root, folder);
  expect(readdirSync(elsewhere)).toHaveLength(1);
});
