import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fingerprint } from '../../core/node/serve/fingerprint.js';

test('differs after each change, and a link that leads to itself is not a failure', () => {
  const root = mkdtempSync(join(tmpdir(), 'fingerprint-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const states = [fingerprint(root, 'config')];
  writeFileSync(join(root, 'agentstack.json'), '{}');
  states.push(fingerprint(root, 'config'));
  symlinkSync('config', join(root, 'config'));
  states.push(fingerprint(root, 'config'));
  rmSync(join(root, 'config'));
  for (const name of ['loop', 'gone']) {
    symlinkSync('loop', join(root, name));
    states.push(fingerprint(root, '.'));
  }
  expect(new Set(states).size).toBe(states.length);
  expect(fingerprint(root, '.')).toBe(states.at(-1));
});
