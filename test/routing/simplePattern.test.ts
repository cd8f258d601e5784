import { expect, test } from 'vitest';
import { areDisjoint } from '../../core/routing/prover/simplePattern.js';

const patterns = [
  ...['^[0-9]+$', '^[a-c]+$', '^[0-9]*$', '^[a-c]*$', '^\\d{2}$', '^\\w{3,}$', '^a[0-9]+$', '^a-[0-9]?$', '^ab$', '^a$', '^b{0}$'],
  ...['^[a-c-]+$', '^a\\-[bc]{1,2}$', '^[^a]+$', '^a+?$', '[0-9]+', '^a|b$', '^.+$', '^(a)+$', '^[a-]$', '^-+$', '^_?$', '^[\\d-]{2}$'],
];
const letters = ['a', 'b', 'c', '0', '9', '-', '_', 'Z'];
const texts = [''];
for (let from = 0, length = 1; length <= 4; length += 1) {
  const end = texts.length;
  for (; from < end; from += 1) for (const letter of letters) texts.push(`${texts[from]}${letter}`);
}

test('patterns are disjoint only where no short text matches both', () => {
  let proved = 0;
  for (const one of patterns)
    for (const other of patterns) {
      if (!areDisjoint(one, other)) continue;
      proved += 1;
      const [left, right] = [new RegExp(one), new RegExp(other)];
      expect(
        texts.filter((text) => left.test(text) && right.test(text)),
        `${one} ${other}`,
      ).toEqual([]);
    }
  expect(proved).toBeGreaterThan(60);
});

test.each([
  ['^[0-9]+$', '^[a-z]+$', true],
  ['^[0-9]*$', '^[a-z]*$', false],
  ['^id-[0-9]+$', '^[a-z]+$', true],
  ['^[a-z]{2}$', '^[a-z]{3}$', true],
  ['^[0-9]+', '^[a-z]+$', false],
])('%s and %s', (one, other, expected) => expect(areDisjoint(one, other)).toBe(expected));
