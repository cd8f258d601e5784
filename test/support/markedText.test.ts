import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawMarks, readMarks } from './markedText.js';

const fixture = `{
  "a": 9,
//     ^ schema maximum
//     ^ other
  "b": [
//     ^... long goes on
  ]
}
^ end of it`;

test('marks name the text above them', () => {
  const { text, marks } = readMarks(fixture);
  expect(text).toBe('{\n  "a": 9,\n  "b": [\n  ]\n}');
  expect(marks.map(({ range, code, words }) => [text.slice(range.start, range.end), code, words])).toEqual([
    ['9', 'schema', 'maximum'],
    ['9', 'other', ''],
    ['[', 'long', 'goes on'],
    ['}', 'end', 'of it'],
  ]);
});

test('marks are drawn below the line they start on, in a fixed order', () => {
  const { text, marks } = readMarks(fixture);
  const extended = marks.map((mark) => (mark.code === 'long' ? { ...mark, range: { ...mark.range, end: text.length - 1 } } : mark));
  expect(drawMarks(text, extended.toReversed())).toBe(fixture.replace('schema maximum\n//     ^ other', 'other\n//     ^ schema maximum'));
});

test('what is drawn is read back', () => {
  const line = fc.string({ unit: fc.constantFrom('a', '"', ' ', '{', '/', ':'), maxLength: 12 });
  const place = fc.tuple(fc.nat(60), fc.nat(5));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.array(place, { maxLength: 4 }), (lines, places) => {
      const text = lines.join('\n');
      const marks = places.map(([at, length], index) => {
        const start = Math.min(at, text.length);
        const lineEnd = text.indexOf('\n', start) < 0 ? text.length : text.indexOf('\n', start);
        return { range: { start, end: Math.min(start + length, lineEnd) }, code: `code-${'abcd'[index]}`, words: 'words' };
      });
      const { text: back, marks: read } = readMarks(drawMarks(text, marks));
      expect(back).toBe(text);
      expect(read.map(({ range, code }) => `${range.start} ${code}`).sort()).toEqual(
        marks.map(({ range, code }) => `${range.start} ${code}`).sort(),
      );
    }),
  );
});
