import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { encodings } from '../../core/llm/encodings.js';
import { packTokens } from '../../scripts/packedTokens.mjs';
import { type Tokens, unpackTokens } from '../../scripts/unpackTokens.mjs';

const known = ['a', ' a', [226, 128]];

test.each<{ name: string; tokens: Tokens }>([
  { name: 'texts with the separator or like JSON', tokens: ['\u0001', ' \u0001\u0001', '[]', '","', '', '\n', '\u2028'] },
  { name: 'bytes that are no whole text', tokens: ['x', [226, 128], [240]] },
  { name: 'known tokens between others', tokens: ['b', ' a', [226, 128], 'a', [226, 129], 'c'] },
  { name: 'only known tokens', tokens: ['a'] },
])('tokens are the same after packing: $name', async ({ tokens }) => {
  expect(unpackTokens(await packTokens(tokens))).toEqual(tokens);
  expect(unpackTokens(await packTokens(tokens, known), known)).toEqual(tokens);
});

test.each(['o200k_base', 'cl100k_base'] as const)('%s as it is shipped has the tokens of the package', async (name) => {
  const shipped: typeof import('../../core/llm/encodings.js') = createRequire(import.meta.url)('../../dist/commands/vendor/encodings.cjs');
  const [ours, theirs] = await Promise.all([shipped.encodings[name](), encodings[name]()]);
  const ranks = Array.from({ length: name === 'o200k_base' ? 199_998 : 100_256 }, (_, rank) => rank);
  expect(ours.decode(ranks) === theirs.decode(ranks)).toBe(true);
});
