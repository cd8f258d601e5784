import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namePattern } from '../../core/kinds.js';
import { compareNatural, nearestNames } from '../../core/names.js';

describe('names are ordered as people do', () => {
  test('by number, not by digit', () => {
    expect(['v10', 'v2', 'v1', '2.0.10', '2.0.9', 'V2'].sort(compareNatural)).toEqual(['2.0.9', '2.0.10', 'v1', 'v2', 'V2', 'v10']);
  });

  test('which for legal names is the order of Unicode', () => {
    const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' });
    const character = fc.constantFrom(...'aAbBzZ0129_.-');
    const name = fc.string({ unit: character, minLength: 1, maxLength: 6 }).filter((text) => namePattern.test(text));
    fc.assert(
      fc.property(name, name, (left, right) => {
        const expected = collator.compare(left, right) || (left < right ? -1 : left > right ? 1 : 0);
        expect(Math.sign(compareNatural(left, right))).toBe(Math.sign(expected));
      }),
      { numRuns: 5000 },
    );
  });

  test('the same way every time, for any names', () => {
    const name = fc.string({ unit: 'binary', maxLength: 5 });
    fc.assert(
      fc.property(name, name, name, (one, two, three) => {
        const sorted = [one, two, three].sort(compareNatural);
        expect([three, one, two].sort(compareNatural)).toEqual(sorted);
        expect(compareNatural(one, two) === 0).toBe(one === two);
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([
  ['mian', 'main'],
  ['aera', 'area'],
  ['darft', 'draft'],
  ['ab', 'ba'],
  ['reveiwer', 'reviewer'],
])('two letters that have changed places are one slip: %s', (wrong, right) => {
  expect(nearestNames(wrong, ['nothing', right, 'else'])).toEqual([right]);
});

test('names that are far apart are not alike', () => {
  expect(nearestNames('abcd', ['dcba', 'badc', 'abcd'])).toEqual(['abcd']);
});
