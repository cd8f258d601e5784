import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toCells } from '../../cli/terminal/cells.js';
import { codeFrame } from '../../cli/terminal/codeFrame.js';
import { createStyles } from '../../cli/terminal/styles.js';

const plain = { styles: createStyles('plain'), mark: (text: string) => text };

/** The frame of a text whose range stands between `«` and `»`. */
function frame(marked: string, columns = 60): string {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  const text = marked.replace('«', '').replace('»', '');
  const line = text.slice(0, start).split(/\r\n|\r|\n/).length;
  return `\n${codeFrame(text, { start, end }, line, { columns, ...plain }).join('\n')}\n`;
}

describe('a code frame', () => {
  test('marks the range under its line, with the lines around it', () =>
    expect(frame('{\n  "tone": «"frendly"»,\n  "depth": 1\n}')).toBe(`
  1 | {
> 2 |   "tone": "frendly",
    |           ^^^^^^^^^
  3 |   "depth": 1
`));

  test('has no line before the first and none after the last', () =>
    expect(frame('«{»}')).toBe(`
> 1 | {}
    | ^
`));

  test('widens the gutter with the line numbers', () =>
    expect(frame(`${'\n'.repeat(98)}a\n«b»\nc`)).toBe(`
   99 | a
> 100 | b
      | ^
  101 | c
`));

  test('expands tabs to columns of four, so carets stand where the text does', () =>
    expect(frame('{\n\t"a":\t«1»\n}')).toBe(`
  1 | {
> 2 |     "a":    1
    |             ^
  3 | }
`));

  test('counts wide characters and emoji as two columns, accents as none', () =>
    expect(frame('{ "名前": "e\u0301👩‍💻🇩🇪", «"x"» }')).toBe(`
> 1 | { "名前": "e\u0301👩‍💻🇩🇪", "x" }
    |                    ^^^
`));

  test('marks a wide character with two carets', () =>
    expect(frame('["«名»"]')).toBe(`
> 1 | ["名"]
    |   ^^
`));

  test('spells out what cannot be seen and what would steer the terminal', () =>
    expect(frame('"a«\u200b»b\u001b[31m\u202e"')).toBe(`
> 1 | "a<U+200B>b<U+001B>[31m<U+202E>"
    |   ^^^^^^^^
`));

  test('marks the first line of a range over several', () =>
    expect(frame('{\n  "a": «{\n    "b": 1\n  }»\n}')).toBe(`
  1 | {
> 2 |   "a": {
    |        ^
  3 |     "b": 1
`));

  test('puts one caret where nothing is: the end of a line or of the file', () => {
    expect(frame('{\n  "a": 1«»')).toBe(`
  1 | {
> 2 |   "a": 1
    |         ^
`);
    expect(frame('{\n«»')).toBe(`
  1 | {
> 2 |
    | ^
`);
  });

  test.each([
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('knows lines that end in %s', (_name, eol) =>
    expect(frame(['{', '  "a": «1»', '}'].join(eol))).toBe(`
  1 | {
> 2 |   "a": 1
    |        ^
  3 | }
`),
  );

  test('does not show a byte order mark', () =>
    expect(frame('\ufeff«{»"a": 1}')).toBe(`
> 1 | {"a": 1}
    | ^
`));

  test('cuts a long line to a window around the range', () => {
    const long = `{"a": "${'x'.repeat(200)}", "b": «true», "c": "${'y'.repeat(200)}"}`;
    expect(frame(`{\n${long}\n}`)).toBe(`
> 2 | …xxxxxxxxx", "b": true, "c": "yyyyyyyyyyyyyyyyyyyyyyy…
    |                   ^^^^
`);
  });

  test('shows more of what comes before when the range is at the end of a long line', () =>
    expect(frame(`"${'x'.repeat(200)}«"»`, 40)).toBe(`
> 1 | …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    |                                ^
`));

  test('cuts the carets of a long range with its line', () =>
    expect(frame(`{"a": «"${'x'.repeat(200)}"»}`, 40)).toBe(`
> 1 | {"a": "xxxxxxxxxxxxxxxxxxxxxxxxx…
    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^
`));

  test('needs no longer for a file of 10 MB on one line', () => {
    const text = `"${'x'.repeat(10_000_000)}"`;
    const started = performance.now();
    const lines = codeFrame(text, { start: 5_000_000, end: 5_000_001 }, 1, { columns: 80, ...plain });
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(lines).toHaveLength(2);
  });

  test('leaves room for a caret behind a line that fills the terminal', () => {
    const text = 'x'.repeat(35);
    const lines = codeFrame(text, { start: 35, end: 35 }, 1, { columns: 41, ...plain });
    for (const row of lines) expect(row.length).toBeLessThanOrEqual(41);
  });

  test('never leaves its columns and marks at least one place, in any text', () =>
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(fc.constantFrom('\t', '\n', '\r', '"', '名', '👩‍💻', '\ud800', '\u0301', '\u200b'), fc.string({ maxLength: 9 })),
          maxLength: 80,
        }),
        fc.nat(),
        fc.nat(20),
        fc.integer({ min: 30, max: 100 }),
        (text, offset, length, columns) => {
          const start = offset % (text.length + 1);
          const line = text.slice(0, start).split(/\r\n|\r|\n/).length;
          const lines = codeFrame(text, { start, end: Math.min(text.length, start + length) }, line, { columns, ...plain });
          expect(lines.filter((row) => /\| *\^+$/.test(row)).length).toBeGreaterThan(0);
          for (const row of lines) {
            expect([...row].filter((character) => character < ' ')).toEqual([]);
            expect(toCells(row).reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(columns);
          }
        },
      ),
    ));
});
