import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../core/json.js';
import { mergePatch } from '../../core/snapshot/mergePatch.js';

/** The pseudo-code of RFC 7396, section 2, on nested arrays of entries, so that it shares nothing with the code under test. */
function oracle(target: Json, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isMap = typeof target === 'object' && target !== null && !Array.isArray(target);
  let members: [string, Json][] = isMap ? Object.keys(target).map((key) => [key, (target as { [key: string]: Json })[key] as Json]) : [];
  for (const key of Object.keys(patch)) {
    const value = (patch as { [key: string]: Json })[key] as Json;
    const before = members.find(([name]) => name === key);
    if (value === null) members = members.filter(([name]) => name !== key);
    else if (before) before[1] = oracle(before[1], value);
    else members.push([key, oracle(null, value)]);
  }
  return JSON.parse(`{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`) as Json;
}

const keys = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString', '0', '');
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, 0, false, '', 1, true, 'x', [], [null], [{ a: null }]),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as Json),
  ),
})).value;

describe('JSON Merge Patch', () => {
  // RFC 7396, appendix A.
  test.each<[string, string, string]>([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('%s with %s is %s', (target, patch, expected) =>
    expect(JSON.stringify(mergePatch(JSON.parse(target) as Json, JSON.parse(patch) as Json))).toBe(expected),
  );

  test('agrees with the pseudo-code of the RFC, to the byte', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        expect(JSON.stringify(mergePatch(target, patch))).toBe(JSON.stringify(oracle(target, patch)));
      }),
      { numRuns: 500 },
    );
  });

  test('applying the same patch twice changes nothing more', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = mergePatch(target, patch);
        expect(JSON.stringify(mergePatch(once, patch))).toBe(JSON.stringify(once));
      }),
    );
  });

  test('changes neither argument', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        mergePatch(target, patch);
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });

  test('no key reaches the prototype', () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}') as Json);
    expect(Object.keys(merged as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
