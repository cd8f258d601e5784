import fc from 'fast-check';
import { expect, test } from 'vitest';
import { locateLoosely, readLoosely, readMembers } from '../../server/looseJson.js';

test('JSON is read as JSON.parse reads it, keys like __proto__ included', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.boolean(), (text, spaced) => {
      const value: unknown = JSON.parse(text);
      expect(readLoosely(spaced ? JSON.stringify(value, null, 2) : text)).toEqual(value);
    }),
  );
  expect(JSON.stringify(readLoosely('{"__proto__": {"a": 1}}'))).toBe('{"__proto__":{"a":1}}');
});

test('the value at a path is found without the rest', () => {
  const text = '{"a": [1, {"b": {"c": "x"}}], "b": 2}';
  expect(readLoosely(text, ['a', 1, 'b'])).toEqual({ c: 'x' });
  expect(readLoosely(text, ['a', 0])).toBe(1);
  expect(readLoosely(text, ['b'])).toBe(2);
  expect(readLoosely(text, ['b', 'c'])).toBeUndefined();
  expect(readLoosely(text, ['a', 7])).toBeUndefined();
});

test.each([
  ['a member without a value is left out', '{"a": , "b": 1}', { b: 1 }],
  ['a member without a value before the next line', '{"a":\n "b": 1}', { b: 1 }],
  ['a missing comma', '{"a": 1 "b": 2}', { a: 1, b: 2 }],
  ['a missing bracket at the end', '{"a": [1, 2', { a: [1, 2] }],
  ['a list that its object closes', '{"a": [1, {"b": 2}, "c": 3}', { a: [1, { b: 2 }], c: 3 }],
  ['an object that its list closes', '[{"a": 1], 2', [{ a: 1 }]],
  ['an open string', '{"a": "x\n, "b": 1}', { a: 'x', b: 1 }],
  ['half a word', '{"a": tru, "b": false}', { b: false }],
  ['a key alone', '{"a", "b": 1}', { b: 1 }],
  ['comments and a trailing comma', '{/* x */ "a": 1, // y\n}', { a: 1 }],
  ['a byte order mark', '\ufeff{"a": 1}', { a: 1 }],
  ['nothing', '', undefined],
])('broken text is read as it is meant: %s', (_name, text, value) => {
  expect(readLoosely(text)).toEqual(value);
});

test('deep nesting takes no stack', () => {
  expect(readLoosely('['.repeat(200_000))).toBeDefined();
  expect(readLoosely(`${'{"a":'.repeat(100_000)}1`, ['b'])).toBeUndefined();
});

test('never throws, whatever the text', () => {
  const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', 'a', '1', 'null', '\n', ' ', '\\', '//', '/*');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      readLoosely(parts.join(''));
      readMembers(parts.join(''), 0);
    }),
  );
});

test('members of an object are its scalars, and the names of the rest', () => {
  const text = '{"x": {"type": "stdio", "args": ["a"], "url": , "n": 1, "half"}}';
  expect([...readMembers(text, text.indexOf('{"type'))]).toEqual([
    ['type', 'stdio'],
    ['args', undefined],
    ['url', undefined],
    ['n', 1],
    ['half', undefined],
  ]);
});

test('tells where a value stands', () => {
  const text = '{"a": [1, { "b" : [2] } ], "c": "x"}';
  const at = (...path: (string | number)[]) => {
    const place = locateLoosely(text, path);
    return place && text.slice(place.start, place.end);
  };
  expect(at('a', 1)).toBe('{ "b" : [2] }');
  expect(at('a', 1, 'b', 0)).toBe('2');
  expect(at('c')).toBe('"x"');
  expect(at()).toBe(text);
  expect(at('d')).toBeUndefined();
});
