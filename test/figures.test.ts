import { describe, expect, test } from 'vitest';
import { durationText, usdBoundText, usdRangeText, usdText } from '../core/amounts.js';
import { countText, tokensText, usageText } from '../core/llm/tokenText.js';

describe('money', () => {
  test.each([
    [0, '0 USD'],
    [12, '12.00 USD'],
    [1240.5, '1,240.50 USD'],
    [0.43, '0.43 USD'],
    [0.1 + 0.2, '0.30 USD'],
    [0.4312, '0.431 USD'],
    [0.000452, '0.000452 USD'],
    [0.0000000001234, '0.000000000123 USD'],
  ])('%d is %s', (amount, text) => expect(usdText(amount)).toBe(text));

  test('an upper bound is rounded up, and never to nothing', () => {
    expect([0, 0.4311, 0.43, 0.1 + 0.2, 12, 12.001, 0.00042].map((amount) => usdBoundText(amount))).toEqual([
      '0 USD',
      '0.432 USD',
      '0.43 USD',
      '0.30 USD',
      '12.00 USD',
      '12.01 USD',
      '0.00042 USD',
    ]);
  });

  test('a range names the currency once', () => expect(usdRangeText(0.00016, 0.0123)).toBe('0.00016–0.0123 USD'));

  test('is written as the language of the user writes numbers', () => {
    expect([usdText(1240.5, 'de'), usdBoundText(0.000452, 'de'), usdRangeText(0.1, 0.2, 'de')]).toEqual([
      '1.240,50 USD',
      '0,000452 USD',
      '0,10–0,20 USD',
    ]);
  });
});

test('counts are grouped, a fraction of a token is one', () => {
  expect([countText(1240), countText(1240, 'de'), countText(1.2), tokensText(1), tokensText(686)]).toEqual([
    '1,240',
    '1.240',
    '2',
    '1 token',
    '686 tokens',
  ]);
  expect(usageText({ prompt_tokens: 1240, completion_tokens: 24, cached_tokens: 1000 })).toBe('1,240 in (1,000 cached), 24 out');
});

test('spans of time are written in the unit that fits', () => {
  expect([durationText(839.6), durationText(2412), durationText(65_000), durationText(2412, 'de')]).toEqual([
    '840 ms',
    '2.41 s',
    '1 min 5 s',
    '2,41 s',
  ]);
});
