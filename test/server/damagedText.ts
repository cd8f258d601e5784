import fc from 'fast-check';

const pieces = [
  '"',
  ',',
  ':',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '\n',
  '\r\n',
  '\u0000',
  '😀',
  '\ud83d',
  '{{',
  '${',
  '@',
  'x',
  ' ',
  '/*',
  '//',
  'null',
  '"": ',
];

/** A part of a whole, from 0 to 1, all alike: numbers of fast-check are mostly near nothing. */
export const share: fc.Arbitrary<number> = fc.noBias(fc.integer({ min: 0, max: 9_999 })).map((part) => part / 10_000);

/** Texts with a few stretches taken out, put in or cut off, as typing leaves them. */
export function damaged(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const removed = fc.oneof(fc.constant(0), fc.constant(1), fc.nat({ max: 40 }));
  const edit = fc.record({ at: share, removed, added: fc.oneof(fc.constant(''), fc.constantFrom(...pieces)) });
  const end = fc.oneof({ arbitrary: fc.constant(1), weight: 3 }, { arbitrary: share, weight: 1 });
  return fc.tuple(texts, fc.array(edit, { minLength: 1, maxLength: 4 }), end).map(([text, edits, kept]) => {
    let after = text;
    for (const { at, removed: count, added } of edits) {
      const offset = Math.floor(at * after.length);
      after = after.slice(0, offset) + added + after.slice(offset + count);
    }
    return after.slice(0, Math.ceil(kept * after.length));
  });
}
