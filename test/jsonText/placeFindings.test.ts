import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding, PlacedFinding } from '../../core/finding.js';
import { pointerOf } from '../../core/json.js';
import { JsonTree } from '../../core/jsonText/jsonTree.js';
import { locate } from '../../core/jsonText/locate.js';
import { parseJson } from '../../core/jsonText/parseJson.js';
import { placeFindings } from '../../core/jsonText/placeFindings.js';
import { positionsIn } from '../../core/jsonText/textPositions.js';
import { writtenJson } from '../support/writtenJson.js';

const finding = (pointer: string, more: Partial<Finding> = {}): Finding => ({
  code: 'schema',
  severity: 'error',
  message: 'wrong',
  file: 'a.json',
  pointer,
  ...more,
});

function textOf(text: string, ...findings: readonly Finding[]): string[] {
  return placeFindings(text, findings).map(({ range }) => text.slice(range.start, range.end));
}

describe('a pointer', () => {
  test('leads to exactly the text of the value or key, however the file is written', () => {
    fc.assert(
      fc.property(writtenJson, ({ text, places }) => {
        const wanted = [...places].filter(([pointer]) => pointer !== '');
        const onKey = wanted.filter(([, { key }]) => key !== undefined);
        const values = placeFindings(
          text,
          wanted.map(([pointer]) => finding(pointer)),
        );
        const keys = placeFindings(
          text,
          onKey.map(([pointer]) => finding(pointer, { target: 'key' })),
        );
        expect(values.map(({ range }) => range)).toEqual(wanted.map(([, { value }]) => value));
        expect(keys.map(({ range }) => range)).toEqual(onKey.map(([, { key }]) => key));
      }),
      { numRuns: 1000 },
    );
  });

  test('leads to the same place alone as among others', () => {
    fc.assert(
      fc.property(writtenJson, ({ text, places }) => {
        for (const [pointer, { key, value }] of places) {
          if (pointer === '') continue;
          expect(placeFindings(text, [finding(pointer)])[0]?.range).toEqual(value);
          if (key !== undefined) expect(placeFindings(text, [finding(pointer, { target: 'key' })])[0]?.range).toEqual(key);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('of the root is told from the same key elsewhere, in texts and below', () => {
    const marks = (text: string, pointer: string) => textOf(text, finding(pointer), finding(pointer, { target: 'key' }));
    expect(textOf('{"x": {"a": 1}}', finding('/a'))).toEqual(['{']);
    expect(textOf('[{"a": 1}]', finding('/a'))).toEqual(['[']);
    expect(textOf('["a"]', finding('/a'))).toEqual(['[']);
    expect(textOf('{"b": "a"}', finding('/a'))).toEqual(['{']);
    expect(textOf('{"b": "\\"a\\": 1"}', finding('/a'))).toEqual(['{']);
    expect(marks('{"b": "say \\"a\\": {", "a" : 2}', '/a')).toEqual(['2', '"a"']);
    expect(marks('{"x": {"a": 1}, "a": 2}', '/a')).toEqual(['2', '"a"']);
    expect(textOf('{"x\\"a": 1}', finding('/a'))).toEqual(['{']);
    expect(textOf('{"a/b": 1, "a": {"b": 2}}', finding('/a/b'))).toEqual(['2']);
    expect(textOf('{"a~1b": 1, "a/b": 2}', finding('/a~1b'))).toEqual(['2']);
    expect(textOf('{"a": 1, "\\u0061": 2}', finding('/a'))).toEqual(['2']);
    expect(textOf('{"b": [{"c": "}"}], "a": [1, "]"]}', finding('/a'))).toEqual(['[1, "]"]']);
  });

  test('may come from an iterator, which can be asked only once', () => {
    const pointers = (...names: string[]) => new Map(names.map((name) => [name, true])).keys();
    expect([...locate('{"a": 1, "b": [2]}', pointers('/b/0', '/a')).keys()].toSorted()).toEqual(['/a', '/b/0']);
    expect([...locate('{"a": 1, "b": [2]}', pointers('/b/0')).keys()]).toEqual(['/b/0']);
    expect([...locate('{"a": 1}', pointers('/a')).keys()]).toEqual(['/a']);
    expect(locate('{"a": 1}', pointers()).size).toBe(0);
  });

  test('behind millions of characters needs no stack', () => {
    const text = `{"b": "${'x'.repeat(8_000_000)}", "c": [${'"y", '.repeat(500_000)}"z"], "a": 1}`;
    expect(textOf(text, finding('/a'))).toEqual(['1']);
    expect(textOf(text, finding('/c/500000'), finding('/a'))).toEqual(['"z"', '1']);
    expect(textOf(`{"b": [${'"",'.repeat(3_000_000)}""], "a": 1}`, finding('/a'))).toEqual(['1']);
  });

  test('with a stretch leads to what is written for those units of the decoded text', () => {
    fc.assert(
      fc.property(writtenJson, fc.nat(), fc.nat(), ({ text, places }, from, length) => {
        for (const [pointer, { units }] of places) {
          if (units === undefined) continue;
          const start = from % units.length;
          const end = Math.min(start + (length % units.length), units.length - 1);
          const [placed] = placeFindings(text, [finding(pointer, { within: { start, end } })]);
          expect(placed?.range).toEqual({ start: units[start], end: units[end] });
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('to nothing leads to the key of the nearest value around it', () => {
    const text = '{"a": {"b": [1, {"c": 2}]}}';
    expect(textOf(text, finding('/a/b/1/d'), finding('/a/b/7/x'), finding('/a/x/y'), finding('/x'), finding('/a/b/1/c/d'))).toEqual([
      '{"c": 2}',
      '"b"',
      '"a"',
      '{',
      '"c"',
    ]);
  });

  test('to the root marks its bracket, or all of a root that has none', () => {
    expect(textOf('\uFEFF\n {"a": 1}', finding(''))).toEqual(['{']);
    expect(textOf(' [1]', finding('', { target: 'key' }))).toEqual(['[']);
    expect(textOf(' "text" ', finding(''))).toEqual(['"text"']);
    expect(textOf('', finding(''))).toEqual(['']);
    expect(textOf(' oops', finding(''))).toEqual(['oops']);
  });

  test('into a key given twice leads to the last one, which is the one that counts', () => {
    const text = '{"a": {"b": 1}, "a": {"c": 2}}';
    expect(textOf(text, finding('/a/c'), finding('/a/b'), finding('/a'))).toEqual(['2', '"a"', '{"c": 2}']);
    expect(placeFindings(text, [finding('/a/b')])[0]?.range.start).toBe(16);
  });

  test('takes __proto__, constructor, ~ and / for the names they are', () => {
    const text = '{"__proto__": 1, "constructor": 2, "a/b": 3, "m~n": 4, "": 5, "0": 6}';
    const pointers = ['__proto__', 'constructor', 'a/b', 'm~n', '', '0'].map((name) => finding(pointerOf(name)));
    expect(textOf(text, ...pointers)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('in a text that is not JSON never fails, and stays inside', () => {
    const junk = fc.oneof(
      fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', 'a', '\\', ' ', '\n', '1') }),
      fc.tuple(writtenJson, fc.nat()).map(([{ text }, at]) => text.slice(0, at % (text.length + 1))),
    );
    fc.assert(
      fc.property(junk, fc.array(fc.constantFrom('', '/a', '/0', '/a/a', '/0/0/a')), (text, pointers) => {
        for (const { range } of placeFindings(
          text,
          pointers.map((pointer) => finding(pointer)),
        )) {
          expect(0 <= range.start && range.start <= range.end && range.end <= text.length).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('into a million levels does not overflow the stack', () => {
    const text = '['.repeat(1_000_000);
    const { syntax } = parseJson(text);
    expect(placeFindings(text, [finding('/0/0/0'), finding('', { range: syntax[0]!.range })])).toHaveLength(2);
  });
});

describe('lines and columns', () => {
  const place = (text: string, start: number, end: number): Pick<PlacedFinding, 'line' | 'column' | 'end_line' | 'end_column'> => {
    const { line, column, end_line, end_column } = placeFindings(text, [finding('', { range: { start, end } })])[0]!;
    return { line, column, end_line, end_column };
  };

  test('are 1-based, count UTF-16 units, and know LF, CRLF and lone CR', () => {
    for (const eol of ['\n', '\r\n', '\r']) {
      const text = `{${eol}  "😀": 1${eol}}`;
      const start = text.indexOf('1');
      expect(place(text, start, start + 1)).toEqual({ line: 2, column: 9, end_line: 2, end_column: 10 });
      expect(place(text, text.length - 1, text.length)).toEqual({ line: 3, column: 1, end_line: 3, end_column: 2 });
    }
  });

  test('count a byte-order mark as one unit, and no other character as a line end', () => {
    expect(place('\uFEFF{}', 1, 2)).toMatchObject({ line: 1, column: 2 });
    expect(place('{"\u2028\u2029\u0085\v\f": 1}', 10, 11)).toMatchObject({ line: 1, column: 11 });
  });

  test('are the same in any order', () => {
    const line = fc.string({ unit: fc.constantFrom('a', '\n', '😀'), maxLength: 30 });
    const text = fc.oneof(line, fc.string({ unit: fc.constantFrom('a', '\n', '\r'), maxLength: 30 }));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 30 }), { maxLength: 20 }), (text, offsets) => {
        const positionOf = positionsIn(text);
        for (const offset of offsets.filter((each) => each <= text.length)) expect(positionOf(offset)).toEqual(positionsIn(text)(offset));
      }),
      { numRuns: 1000 },
    );
  });

  test('of many places on one long line take no time', () => {
    const places = 100_000;
    const text = `\n${'x'.repeat(50 * places)}`;
    const positionOf = positionsIn(text);
    const started = performance.now();
    for (let place = 0; place < places; place++) positionOf(50 * place + 1);
    // Looking for the end of the line for each would take a minute; the bound leaves room for a busy machine.
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(positionOf(text.length)).toEqual({ line: 2, column: text.length });
  });

  test('agree with counting one unit after the other', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '😀', '\u2028'), maxLength: 30 }), (text) => {
        const positionOf = positionsIn(text);
        let [line, column] = [1, 1];
        for (let offset = 0; offset <= text.length; offset++) {
          expect(positionOf(offset)).toEqual({ line, column });
          const ends = text[offset] === '\n' || (text[offset] === '\r' && text[offset + 1] !== '\n');
          [line, column] = ends ? [line + 1, 1] : [line, column + 1];
        }
      }),
    );
  });
});

describe('related places', () => {
  const related = [
    { file: 'a.json', pointer: '/b', message: 'here' },
    { file: 'b.json', pointer: '/c', target: 'key' as const, message: 'there' },
    { file: 'gone.json', pointer: '/d', message: 'nowhere' },
  ];

  test('are placed in their own files, as far as these can be read', () => {
    const texts: Readonly<Record<string, string>> = { 'b.json': '{\n"c": 3}' };
    const [placed] = placeFindings('{"a": 1,\n "b": 2}', [finding('/a', { related })], (file) => texts[file]);
    expect(placed?.related).toEqual([
      { ...related[0], range: { start: 15, end: 16 }, line: 2, column: 7 },
      { ...related[1], range: { start: 2, end: 5 }, line: 2, column: 1 },
      related[2],
    ]);
  });

  test('of other files are left as they are without the texts of these files', () => {
    const [placed] = placeFindings('{"b": 2}', [finding('/b', { related })]);
    expect(placed?.related?.map(({ line }) => line)).toEqual([1, undefined, undefined]);
  });
});

test('values are located without a tree where a tree has them', () => {
  const key = fc.constantFrom('a', 'b', 'a/b', '~', '0', '');
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('1', '"x"', 'null', '"a\\": {"'),
      fc.array(tie('json')).map((items) => `[ ${items.join(' , ')} ]`),
      // A key may come twice.
      fc.array(fc.tuple(key, tie('json'))).map((members) => `{ ${members.map(([name, value]) => `"${name}" : ${value}`).join(' , ')} }`),
    ),
  }));
  const pointer = fc.array(fc.oneof(key, fc.constantFrom('1', '2')), { maxLength: 4 }).map((segments) => pointerOf(...segments));
  fc.assert(
    fc.property(json, fc.array(pointer, { minLength: 1 }), (text, pointers) => {
      const tree = new JsonTree(text);
      const expected = pointers.flatMap((one) => {
        const place = tree.locate(one);
        return place === undefined ? [] : [[one, place] as const];
      });
      expect(new Map(locate(text, pointers))).toEqual(new Map(expected));
    }),
    { numRuns: 2000 },
  );
});
