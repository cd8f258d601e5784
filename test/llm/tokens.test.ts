import fc from 'fast-check';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { countMessageTokens, hasKnownTokenizer, loadTokenCounter } from '../../core/llm/countTokens.js';
import { estimateCost } from '../../core/llm/price.js';
import { runs } from '../support/effort.js';

const counter = await loadTokenCounter();

// The counts are those of the OpenAI cookbook.
test.each([
  ['gpt-4.1-mini', 'お誕生日おめでとう', 8],
  ['gpt-4', 'お誕生日おめでとう', 9],
  ['gpt-3.5-turbo-0125', 'antidisestablishmentarianism', 6],
  ['gpt-4-0613', '2 + 2 = 4', 7],
  ['o3-mini', '2 + 2 = 4', 7],
  ['ft:gpt-4o-2024-08-06:org::1', '', 0],
])('counts for %s with its own encoding: %j', (model, text, tokens) => {
  expect(counter.count(model, text)).toEqual({ tokens, exact: true });
});

test.each([
  ['gpt-5.4', true],
  ['o3-mini', true],
  ['ft:gpt-4.1-mini-2025-04-14:org', true],
  ['gpt-6-luna', false],
  ['claude-opus-5', false],
  ['gemini-2.5-pro', false],
  ['llama3', false],
])('the count of %s is exact: %s', (model, exact) => {
  expect(hasKnownTokenizer(model)).toBe(exact);
  expect(counter.count(model, 'one two').exact).toBe(exact);
});

test('special tokens in a text are counted as the text they are', () => {
  expect(counter.count('gpt-4o', '<|endoftext|><|im_start|>')).toEqual({ tokens: 12, exact: true });
});

test('a text with lone surrogates is counted', () => {
  expect(counter.count('gpt-4o', 'a\ud800b\udc00').tokens).toBeGreaterThan(2);
});

test('a text that has to be taken in parts has the tokens of the whole', () => {
  const word = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('word', ' ', '\n', '  ', "don't", '1234', '——', 'é'));
  const longWord = 'ab'.repeat(130);
  fc.assert(
    fc.property(fc.array(word, { maxLength: 200 }), (words) => {
      const text = words.join(' ');
      // The long word sends the text through the parts, and costs what it costs alone: a line of its own on both sides.
      const { tokens } = counter.count('gpt-4o', `${text}\nx ${longWord}`);
      expect(tokens - counter.count('gpt-4o', ` ${longWord}`).tokens).toBe(countO200k(`${text}\nx`, { disallowedSpecial: new Set() }));
    }),
    { numRuns: runs(60, 200) },
  );
});

test('a long ordinary text is counted exactly', () => {
  const text = 'The quick brown fox, 1234 times; jumps over\nthe lazy dog.  '.repeat(5000) + '='.repeat(250);
  expect(counter.count('gpt-4o', text)).toEqual({ tokens: countO200k(text), exact: true });
});

// Quadratic time would take minutes; the bound leaves room for a busy machine.
describe('hostile text of a megabyte takes seconds', { timeout: 30_000 }, () => {
  const units = ['a', 'A', '文', ' ', '\n', '!', '😀', '\ud800', '\u0301', '1', 'Aa', ' \n', "a'", 'word ', '<|endoftext|>'];
  test.each(units)('%j repeated', (unit) => {
    const started = performance.now();
    const { tokens } = counter.count('gpt-4o', unit.repeat(Math.ceil(1e6 / unit.length)));
    expect(tokens).toBeGreaterThan(6_000);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

test('an unloaded encoding is replaced by a loaded one, and the count says so', async () => {
  const modern = await loadTokenCounter(['gpt-4.1']);
  expect(modern.count('gpt-4.1', 'one two')).toEqual({ tokens: 2, exact: true });
  expect(modern.count('gpt-4', 'one two')).toEqual({ tokens: 2, exact: false });
  expect((await loadTokenCounter([])).count('gpt-4.1', 'one two')).toEqual({ tokens: 2, exact: false });
});

test('a message costs three tokens and its role on top of its content, the answer three more', () => {
  const messages = [
    { role: 'system', content: 'one two' },
    { role: 'user', content: 'three' },
  ] as const;
  expect(countMessageTokens(counter, 'gpt-4.1', messages)).toEqual({ tokens: 3 + (3 + 1 + 2) + (3 + 1 + 1), exact: true });
  expect(countMessageTokens(counter, 'claude-opus-5', messages)).toEqual({ tokens: 14, exact: false });
});

test('cached tokens are paid at their own price, or like the others', () => {
  const usage = { prompt_tokens: 1_000_000, completion_tokens: 500_000, cached_tokens: 400_000 };
  expect(estimateCost(usage, { input: 2, output: 8, cached_input: 0.5 })).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 0.5 * 8, 10);
  expect(estimateCost(usage, { input: 2, output: 8 })).toBeCloseTo(2 + 4, 10);
  expect(estimateCost({ ...usage, cached_tokens: 2_000_000 }, { input: 2, output: 8, cached_input: 0.5 })).toBeCloseTo(0.5 + 4, 10);
});
