import { expect, test } from 'vitest';
import { needsKey } from '../../client/panels/run/page/needsKey.js';

test.each([
  ['llm', 'no-key', true],
  ['llm', 'auth', true],
  ['secret-missing', '', true],
  ['llm', 'rate-limit', false],
  ['tool-execution', 'auth', false],
])('a run that failed with %s %s offers to set a key: %s', (code, reason, isOffered) => {
  expect(needsKey({ error: { code, reason, message: '', issues: [] } })).toBe(isOffered);
});

test('a run that has not failed offers none', () => expect(needsKey({ error: null })).toBe(false));
