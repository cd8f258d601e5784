import { expect, test } from 'vitest';
import { findFileNames } from '../../client/panels/page/fileNames.js';

/** Each name that may be a file, in brackets. */
const marked = (text: string) =>
  findFileNames(text).reduceRight((rest, { start, end }) => `${rest.slice(0, start)}[${rest.slice(start, end)}]${rest.slice(end)}`, text);

test.each([
  ['See README.md:3.', 'See [README.md:3].'],
  ['In src/a.ts:12:5, src/b.ts:3-7 and src/c.ts#L9!', 'In [src/a.ts:12:5], [src/b.ts:3-7] and [src/c.ts#L9]!'],
  ['(./docs/a.md), "../x.json" and src\\win.ts', '([./docs/a.md]), "[../x.json]" and [src\\win.ts]'],
  ['.gitignore and docs/Dockerfile...', '[.gitignore] and [docs/Dockerfile]...'],
  ['config/für/Größe.md', '[config/für/Größe.md]'],
  // No name: a number, a word, an address, a host within one, an empty part of a path, a folder.
  [
    '3.14, 1/2, e, word. https://x.org/a.ts http://README.md:3 file:a.md //host/share.ts src/',
    '3.14, 1/2, e, word. https://x.org/a.ts http://README.md:3 file:a.md //host/share.ts src/',
  ],
  // Only the disk can tell.
  ['v1.2 e.g. and/or', 'v1.2 [e.g]. [and/or]'],
])('%s', (text, expected) => expect(marked(text)).toBe(expected));

test('a name has its line and its column', () => {
  expect(findFileNames('a.ts:3:7 b.ts#L4 c.ts').map(({ name, line, column }) => [name, line, column])).toEqual([
    ['a.ts', 3, 7],
    ['b.ts', 4, 0],
    ['c.ts', 0, 0],
  ]);
});

test('a long text without spaces takes no long time', () => {
  const start = performance.now();
  for (const unit of ['a/', 'a.', '.-', ':1', '\\']) findFileNames(unit.repeat(100_000));
  expect(performance.now() - start).toBeLessThan(2_000);
});
