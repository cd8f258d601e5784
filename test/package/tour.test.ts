import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

// The check is that of the sample: the folders of tests hold files of other tools with faults.
test('`npm start` shows each of its steps in a checkout, and ends well', { timeout: 120_000 }, () => {
  const script = join(root, 'scripts/start.mjs');
  const shown = execFileSync(process.execPath, [script, '--no-editor'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, CI: 'true' },
  });
  expect(shown).toMatch(/1\/4 [\s\S]*No problems in[\s\S]*2\/4 [\s\S]*3\/4 [\s\S]*4\/4 [\s\S]*\nNext\n/);
});
