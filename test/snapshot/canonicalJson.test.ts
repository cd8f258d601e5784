import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../core/json.js';
import { canonicalJson } from '../../core/snapshot/canonicalJson.js';

describe('canonical JSON', () => {
  test.each<[string, Json, string]>([
    [
      'sorts keys by UTF-16 units, as in the example of RFC 8785',
      { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, ö: 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\u{1f600}":5,"\ufb33":3}',
    ],
    ['writes strings as the example of RFC 8785', '€$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    ['writes no white space', { b: [1, { d: null, c: true }], a: {} }, '{"a":{},"b":[1,{"c":true,"d":null}]}'],
    ['keeps the order of arrays', [3, 1, 2], '[3,1,2]'],
    ['writes minus zero as zero', -0, '0'],
    ['escapes a lone surrogate', 'a\ud83d', '"a\\ud83d"'],
  ])('%s', (_, value, expected) => expect(canonicalJson(value)).toBe(expected));

  // Appendix B of RFC 8785: the bits of a double and its text.
  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('the double %s is %s', (bits, expected) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${bits}`));
    expect(canonicalJson(view.getFloat64(0))).toBe(expected);
  });

  test('reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(JSON.parse(canonicalJson(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.infiniteStream(fc.nat()), (object, numbers) => {
        const shuffled = Object.entries(object)
          .map((entry) => ({ entry, at: numbers.next().value as number }))
          .sort((left, right) => left.at - right.at);
        expect(canonicalJson(Object.fromEntries(shuffled.map(({ entry }) => entry)) as Json)).toBe(canonicalJson(object as Json));
      }),
    );
  });

  test('sorts the keys of every object and is its own canonical form', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as Json);
        JSON.parse(text, (_, member: unknown) => {
          if (typeof member === 'object' && member !== null && !Array.isArray(member)) {
            const keys = Object.keys(member).filter((key) => !/^(0|[1-9]\d*)$/.test(key));
            expect(keys).toEqual([...keys].sort());
          }
          return member;
        });
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
      }),
    );
  });

  test('any lone surrogate is written in ASCII and survives', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)) }), (text) => {
        const written = canonicalJson(text);
        expect(Buffer.from(written, 'utf8').toString('utf8')).toBe(written);
        expect(JSON.parse(written)).toBe(text);
      }),
    );
  });

  test('`__proto__` is a key like any other', () =>
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}') as Json)).toBe('{"__proto__":{"a":2},"b":1}'));

  test('nesting may be as deep as memory allows', () => {
    const depth = 50_000;
    expect(canonicalJson(JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`) as Json)).toHaveLength(depth * 8 + 1);
  });

  test('the same object may stand in many places, but not inside itself', () => {
    const shared = { x: 1, w: [] };
    expect(canonicalJson([shared, shared])).toBe('[{"w":[],"x":1},{"w":[],"x":1}]');
    const around = { b: shared, a: [shared] };
    const text = '{"a":[{"w":[],"x":1}],"b":{"w":[],"x":1}}';
    expect(canonicalJson({ 1: around, 0: shared, 2: [around, around] })).toBe(`{"0":{"w":[],"x":1},"1":${text},"2":[${text},${text}]}`);
    const circle: { self?: unknown } = {};
    circle.self = [circle];
    expect(() => canonicalJson(circle as Json)).toThrow('contains itself');
  });

  test.each([[undefined], [Number.NaN], [Number.POSITIVE_INFINITY], [() => 1], [1n], [Symbol('x')]])('%s is not JSON', (value) =>
    expect(() => canonicalJson([value as unknown as Json])).toThrow('has no JSON form'),
  );
});
