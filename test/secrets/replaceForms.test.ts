import { expect, test } from 'vitest';
import { withoutKey } from '../../core/llm/providers/apiKey.js';
import { createCover } from '../../core/tools/mcp/coverValues.js';

const secret = 'odd-key-4711-that-has-no-shape-of-a-key-and-is-rather-long-as-keys-go-today';
const base64 = Buffer.from(`The header: ${secret}, and the words behind it`).toString('base64');
const lines = (columns: number, end: string) => (base64.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []).join(end);

/** All characters of base64 that say something of the secret alone, wherever lines end. */
const told = (text: string) =>
  Buffer.from(text.replaceAll(/\\r|\\n|\s/g, '').replaceAll(/\[key\]|\*{5}/g, ''), 'base64').toString('latin1');

test.each([
  [76, '\n'],
  [76, '\r\n'],
  [64, '\n'],
  [64, '\\n'],
])('base64 of a secret in lines of %d that end with %j is covered in errors of providers and texts of servers', (columns, end) => {
  const text = lines(columns, end);
  expect(told(text)).toContain('4711');
  for (const covered of [withoutKey(text, { value: secret, source: 'a test' }), createCover([secret]).text(text)]) {
    expect(told(covered)).not.toContain('4711');
    expect(told(covered)).not.toContain('odd-key');
    expect(told(covered)).toContain('The header');
  }
});

test('the text around a secret is kept, and every place of it is covered', () => {
  const text = `one ${secret} two\n${lines(76, '\n')}\nthree ${secret}`;
  const covered = createCover([secret]).text(text);
  expect(covered.startsWith('one ***** two\n')).toBe(true);
  expect(covered.endsWith('\nthree *****')).toBe(true);
});
