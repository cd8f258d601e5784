import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCells } from '../../cli/terminal/cells.js';
import { cutLine, fold } from '../../cli/terminal/fold.js';

const widthOf = (text: string) => toCells(text).reduce((sum, { width }) => sum + width, 0);

test('a line that fits stays as it is, a longer one is cut with an ellipsis', () => {
  expect(cutLine('short', 20)).toBe('short');
  expect(cutLine('x'.repeat(20), 20)).toBe('x'.repeat(20));
  expect(cutLine('x'.repeat(21), 20)).toBe(`${'x'.repeat(19)}…`);
  expect(cutLine('試'.repeat(20), 20)).toBe(`${'試'.repeat(9)}…`);
  expect(cutLine(`a\u001b[31m${'x'.repeat(50)}`, 20)).toBe('a<U+001B>[31mxxxxxx…');
});

test('of many lines the first are shown and the rest counted', () => {
  expect(fold('a\nb\nc\n', 20, 3)).toEqual(['a', 'b', 'c']);
  expect(fold('a\r\nb\nc\nd', 20, 3)).toEqual(['a', 'b', '(2 more lines)']);
  expect(fold('', 20, 3)).toEqual(['']);
});

test('no line is ever wider than the terminal', () => {
  const text = fc
    .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('試', '👩‍👩‍👧', '\u001b[2J', '\t', '\u202e')), { maxLength: 80 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 60 }), (line, columns) => {
      expect(widthOf(cutLine(line, columns))).toBeLessThanOrEqual(columns);
      expect(fold(line, columns, 3).length).toBeLessThanOrEqual(3);
    }),
  );
});
