import { expect, test } from 'vitest';
import { preview } from '../../server/preview.js';

test.each([
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['👩\u200d💻 writes', '👩\u200d💻 writes'],
  ['a\u200db\u200bc\u202ed', 'a b c d'],
  ['one\n\n  two\tthree', 'one two three'],
])('joiners of a script stay, and what shows nothing becomes a space: %j', (text, shown) => {
  expect(preview(text)).toBe(shown);
});
