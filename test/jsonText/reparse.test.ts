import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, pointerOf } from '../../core/json.js';
import { maxDepth } from '../../core/jsonText/jsonShape.js';
import { locate } from '../../core/jsonText/locate.js';
import { parseJson } from '../../core/jsonText/parseJson.js';
import { KnownJson, reparse } from '../../core/jsonText/reparse.js';
import type { TextDifference } from '../../core/jsonText/textDifference.js';
import { largeObject, layoutOf, type TextLayout } from '../../core/jsonText/textLayout.js';
import { somewhere } from '../support/somewhere.js';

/** Makes the object it stands in a large one, which is looked into. */
const padding = 'x'.repeat(2_100);

const name = fc.oneof(
  fc.constantFrom('a', 'b', '', '7', '__proto__', 'constructor', 'a/b', 'ä"\\', 'properties'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, 0, -0.5, 1e21, 'text', '', padding),
    fc.string({ maxLength: 5 }),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc
    .tuple(fc.array(fc.tuple(name, tie('value')), { minLength: 1, maxLength: 5 }), fc.boolean())
    .map(([entries, isLarge]) => Object.fromEntries(isLarge ? [...entries, ['pad', padding]] : entries)),
})).object;

const written = fc
  .tuple(value, fc.constantFrom(undefined, 2, '\t'), fc.constantFrom('', '\uFEFF', ' \n'), fc.constantFrom('', '\r\n'))
  .map(([json, indent, front, end]) => `${front}${JSON.stringify(json, null, indent)}${end}`);

/** What is typed, pasted and deleted; much of it leaves something that is no JSON. */
const edit = fc.record({
  at: somewhere,
  length: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(40), fc.constant(padding.length + 2)),
  insert: fc.oneof(
    fc.constantFrom('', '', ' ', '1', '1'),
    fc.constantFrom('"', ',', ':', '{', '}', '[', ']', ' ', '\n', '\\', '\uFEFF', '-', 'e9', 'null', '{}', '//', '[[]]'),
    fc.constantFrom('"k": 1,', ', "k": 1', ',"a": 1', ', "b": {"a": 1, "a": 2}', '},{', '}, "z": {', '": 1, "', `"q": "${padding}",`),
    fc.string({ maxLength: 3 }),
  ),
});

type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never;

function edited(text: string, edit: Edit): string {
  const { start, endBefore } = stretchOf(text, edit);
  return text.slice(0, start) + edit.insert + text.slice(endBefore);
}

/** Where an editor says that the text has changed, which need not be the least it can be. */
function stretchOf(text: string, { at, length, insert }: Edit): TextDifference {
  const offsets = offsetsOutsidePadding(text);
  const start = offsets[Math.min(offsets.length - 1, Math.floor(at * offsets.length))] as number;
  return { start, endBefore: Math.min(start + length, text.length), endAfter: start + insert.length };
}

/** Nearly all of a text is padding, and most changes shall be elsewhere. */
function offsetsOutsidePadding(text: string): readonly number[] {
  const offsets: number[] = [];
  for (let offset = 0; offset <= text.length; offset++) if (!text.startsWith('xxxx', offset)) offsets.push(offset);
  return offsets;
}

function pointersIn(value: unknown, at = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, item]) => pointersIn(item, `${at}${pointerOf(key)}`))];
}

/** An object that was large and has become small may still be looked into. */
function ofLarge({ end, members }: TextLayout): TextLayout {
  return {
    end,
    members: members.map((member) => ({
      ...member,
      inside: member.inside && member.inside.end >= largeObject ? ofLarge(member.inside) : undefined,
    })),
  };
}

function known(text: string): KnownJson {
  return new KnownJson(text, parseJson(text).value as JsonObject);
}

describe('a text that has changed', () => {
  test.each([
    ['', false],
    [' and an editor tells where', true],
  ])(
    'says what parsing it anew says, whatever has changed%s, or is to be parsed anew',
    (_told, isTold) => {
      let reparsed = 0;
      fc.assert(
        fc.property(written, fc.array(edit, { minLength: 4, maxLength: 16 }), (text, edits) => {
          let before = known(text);
          for (const one of edits) {
            const after = edited(before.text, one);
            const found = isTold ? reparse(before, after, stretchOf(before.text, one)) : reparse(before, after);
            const { value: whole, syntax } = parseJson(after);
            if (found === undefined) {
              if (syntax.length === 0 && isObject(whole)) before = known(after);
              continue;
            }
            if (after !== before.text) reparsed += 1;
            expect(syntax).toEqual([]);
            expect(JSON.stringify(found.value)).toBe(JSON.stringify(whole));
            expect(found.value).toEqual(whole);
            expect(ofLarge(found.layout)).toEqual(layoutOf(after, found.start));
            const pointers = [...pointersIn(whole), '/no/such/place'];
            expect(locate(after, pointers, found)).toEqual(locate(after, pointers));
            before = found;
          }
        }),
        { numRuns: 1500 },
      );
      expect(reparsed).toBeGreaterThan(1_000);
    },
    120_000,
  );

  test('is nested too deeply only where parsing it anew says so', () => {
    const nested = (levels: number) => `{"pad": "${padding}", "a": ${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(reparse(known(nested(3)), nested(maxDepth - 1))?.value).toEqual(parseJson(nested(maxDepth - 1)).value);
    expect(reparse(known(nested(3)), nested(maxDepth))).toBeUndefined();
    expect(parseJson(nested(maxDepth)).value).toBeUndefined();
  });
});

describe('of a large object', () => {
  const text = JSON.stringify({ first: { a: 1 }, large: { pad: padding, one: { b: 1 }, two: { c: 1 } }, list: [{ d: 1 }] });
  const before = known(text);
  const partsOf = ({ value }: KnownJson) => {
    const large = value.large as JsonObject;
    return { first: value.first, list: value.list, large, one: large.one, two: large.two };
  };

  test.each([
    ['a value in a member', '{"b":1}', '{"b":12}', ['first', 'list', 'two']],
    ['a member that is added', '"two"', '"new":{},"two"', ['first', 'list', 'one', 'two']],
    ['a member that is taken out', '"two":{"c":1}', '"left":0', ['first', 'list', 'one']],
    ['a key that is another', '"one"', '"other"', ['first', 'list', 'two']],
    ['white space', ',"two"', ', "two"', ['first', 'list', 'one', 'two']],
    ['a member at the end', '[{"d":1}]}', '[{"d":1}],"e":{}}', ['first', 'large', 'one', 'two', 'list']],
    ['nothing', '{', '{', ['first', 'large', 'one', 'two', 'list']],
  ])('all but %s stays the same', (_what, from, to, same) => {
    const after = reparse(before, text.replace(from, to));
    const [old, now] = [partsOf(before), partsOf(after!)];
    const kept = (Object.keys(old) as (keyof typeof old)[]).filter((part) => old[part] === now[part]);
    expect(kept.toSorted()).toEqual(same.toSorted());
  });

  test('a key that is there twice now is for the parser of the whole to report', () => {
    expect(reparse(before, text.replace('"two"', '"one"'))).toBeUndefined();
    expect(reparse(before, text.replace('{"b":1}', '{"b":1,"b":2}'))).toBeUndefined();
  });
});
