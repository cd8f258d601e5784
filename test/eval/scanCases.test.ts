import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectationsOf, readCases } from '../../core/eval/readCases.js';
import { type ScannedFile, scanCases } from '../../core/eval/scanCases.js';
import type { Json } from '../../core/json.js';
import { JsonTree } from '../../core/jsonText/jsonTree.js';

function scan(text: string): { readonly file: ScannedFile; readonly pauses: number } {
  const steps = scanCases('file', text);
  for (let pauses = 0; ; pauses++) {
    const { done, value } = steps.next();
    if (done) return { file: value, pauses };
  }
}

const key = fc.constantFrom('name', 'input', 'context', 'expect', 'tags', 'expected', 'repeats', 'cases', 'turns', 'other', 'a "b" é');
const leaf: fc.Arbitrary<Json> = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.constantFrom('', 'a', 'x "y"', '{', ']'));
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
})).value;
const turn = fc.oneof(value, fc.record({ input: value, expect: value }, { requiredKeys: [] }) as fc.Arbitrary<Json>);
const one = fc.record(
  {
    turns: fc.oneof(value, fc.array(turn, { maxLength: 3 })),
    name: leaf,
    input: value,
    context: value,
    expect: value,
    tags: fc.array(leaf, { maxLength: 3 }),
    expected: value,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Json>;
const file = fc.oneof(
  value,
  one,
  fc.record(
    { cases: fc.array(fc.oneof(one, value), { maxLength: 5 }), expect: value, tags: fc.array(leaf, { maxLength: 3 }), input: value },
    { requiredKeys: ['cases'] },
  ) as fc.Arbitrary<Json>,
);

describe('scanCases', () => {
  test('finds the cases that readCases finds, with their places', () => {
    fc.assert(
      fc.property(file, fc.constantFrom(0, 2), fc.boolean(), (json, indent, hasBom) => {
        const text = `${hasBom ? '\ufeff' : ''}${JSON.stringify(json, null, indent)}`;
        const tree = new JsonTree(text);
        const scanned = scan(text).file;
        const read = readCases('file', json);
        expect(scanned.cases.map(({ name, pointer, tags, isTest }) => ({ name, pointer, tags, isTest }))).toEqual(
          read.map((tested) => {
            const { name, pointer, tags } = tested;
            return { name, pointer, tags, isTest: expectationsOf(tested).length > 0 };
          }),
        );
        for (const [index, { pointer, range, entries }] of scanned.cases.entries()) {
          if (pointer !== '') expect(range).toEqual(tree.locate(pointer)?.value);
          const own = read[index]!.turns.flatMap(({ expect: all }) => all).filter((entry) =>
            entry.pointer.startsWith(`${pointer}/expect/`),
          );
          expect(entries).toEqual(own.map((entry) => tree.locate(entry.pointer)?.value));
        }
        if (scanned.isSet) expect(scanned.entries).toEqual(scanned.entries.map((_, index) => tree.locate(`/expect/${index}`)?.value));
      }),
      { numRuns: 2_000 },
    );
  });

  test('takes the last of keys that are given twice', () => {
    const text =
      '{ "input": {}, "expect": [1], "expect": [2, 3], "cases": [{ "input": {} }], "cases": [{ "input": 1, "input": {}, "name": "b" }] }';
    const { cases, entries } = scan(text).file;
    expect(cases.map(({ name, isTest }) => [name, isTest])).toEqual([['file/b', true]]);
    expect(entries.length).toBe(2);
  });

  test('says of a text that is being written that it is not whole', () => {
    for (const text of ['', '{ "cases": [', '[]', '{ "cases": [{ "input": {}, "name": "a" }, { '])
      expect(scan(text).file.isWhole).toBe(false);
    expect(scan('{ "input": {} }').file.isWhole).toBe(true);
  });

  test('pauses often in a file of 10,000 cases', () => {
    const cases = Array.from({ length: 10_000 }, (_, index) => ({ name: `case ${index}`, input: { text: 'a' }, expect: [{ text: true }] }));
    const { file, pauses } = scan(JSON.stringify({ cases }));
    expect(file.cases.length).toBe(10_000);
    expect(pauses).toBeGreaterThan(200);
  });
});
