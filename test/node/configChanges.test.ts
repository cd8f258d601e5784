import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createConfigChanges } from '../../core/node/projectAdapters.js';

test('differs after each change, and a link that leads to itself is not a failure', () => {
  const root = mkdtempSync(join(tmpdir(), 'fingerprint-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const { fingerprint } = createConfigChanges(root);
  const states = [fingerprint('config')];
  writeFileSync(join(root, 'agentstack.json'), '{}');
  states.push(fingerprint('config'));
  symlinkSync('config', join(root, 'config'));
  states.push(fingerprint('config'));
  rmSync(join(root, 'config'));
  for (const name of ['loop', 'gone']) {
    symlinkSync('loop', join(root, name));
    states.push(fingerprint('.'));
  }
  expect(new Set(states).size).toBe(states.length);
  expect(fingerprint('.')).toBe(states.at(-1));
});
