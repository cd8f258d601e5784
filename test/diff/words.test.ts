import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffWords } from '../../core/diff/words.js';
import { diffLines, stretchesOf } from '../../core/diffLines.js';

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', '\n', ' ', 'word ', 'long, ', '(x) '), { maxLength: 40 })
  .map((parts) => parts.join(''));
const lists = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });

/** Length of the longest common subsequence. */
function common(left: readonly string[], right: readonly string[]): number {
  let row = new Array<number>(right.length + 1).fill(0);
  for (const item of left) {
    const next = [0];
    for (const [index, other] of right.entries()) next.push(item === other ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!));
    row = next;
  }
  return row.at(-1)!;
}

test('a difference of lists has both of them, and is the shortest', () =>
  fc.assert(
    fc.property(lists, lists, (before, after) => {
      const lines = diffLines(before, after);
      const side = (without: string) => lines.filter(({ mark }) => mark !== without).map(({ text }) => text);
      expect([side('+'), side('-')]).toEqual([before, after]);
      expect(lines.filter(({ mark }) => mark !== ' ')).toHaveLength(before.length + after.length - 2 * common(before, after));
      const stretches = stretchesOf(lines, 1);
      const inside = (at: number) => stretches.some(({ start, end }) => start <= at && at < end);
      for (const [index, { mark }] of lines.entries()) if (mark !== ' ') expect(inside(index)).toBe(true);
    }),
  ));

test('a difference of texts has all of both, if nothing is cut', () =>
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const { hunks, added, removed } = diffWords(before, after, Number.POSITIVE_INFINITY);
      const side = (without: string) =>
        hunks.flatMap(({ words }) => words.filter(({ mark }) => mark !== without).map(({ text }) => text)).join('');
      expect(hunks.length).toBe(before === after ? 0 : 1);
      if (before !== after) expect([side('+'), side('-')]).toEqual([before, after]);
      const cut = (text: string, ranges: typeof added) => ranges.map(([start, end]) => text.slice(start, end)).join('');
      const marked = (wanted: string) =>
        hunks.flatMap(({ words }) => words.filter(({ mark }) => mark === wanted).map(({ text }) => text)).join('');
      expect([cut(after, added), cut(before, removed)]).toEqual([marked('+'), marked('-')]);
    }),
  ));

test('a text that is rewritten takes no longer than it should', () => {
  const text = (word: string) => Array.from({ length: 3000 }, (_, index) => `${word}${index} stays`).join(' ');
  const started = performance.now();
  const { hunks } = diffWords(text('old'), text('new'));
  expect(hunks).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(2000);
});
