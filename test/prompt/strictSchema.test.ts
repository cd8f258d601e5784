import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { findStrictViolations, strictLimits } from '../../core/prompt/strictSchema.js';

const places = (schema: JsonObject, options?: { fineTuned?: boolean }) =>
  findStrictViolations(schema, options).map(({ pointer, keyword }) => `${pointer} ${keyword}`);

const closed = (properties: { [name: string]: Json }, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const text = { type: 'string' };

describe('a schema that strict mode takes', () => {
  test.each<[string, JsonObject]>([
    ['closed object with all fields required', closed({ tone: { type: 'string', enum: ['a', 'b'] } })],
    ['nullable in place of optional', closed({ tone: { type: ['string', 'null'] } })],
    [
      'arrays, nested objects, a choice below the root',
      closed({ a: { type: 'array', items: closed({ b: { anyOf: [text, { type: 'null' }] } }) } }),
    ],
    ['supported formats and bounds', closed({ d: { type: 'string', format: 'date' }, n: { type: 'number', minimum: 0, multipleOf: 5 } })],
    [
      'recursion through $defs',
      closed(
        { list: { $ref: '#/$defs/node' } },
        { $defs: { node: closed({ next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } }) } },
      ),
    ],
    ['recursion to the root', closed({ children: { type: 'array', items: { $ref: '#' } } })],
    [
      'draft-07 definitions and $schema',
      closed({ a: { $ref: '#/definitions/a' } }, { $schema: 'http://json-schema.org/draft-07/schema#', definitions: { a: text } }),
    ],
    ['fields named like keywords', closed({ pattern: text, oneOf: text, constructor: text })],
  ])('%s', (_name, schema) => expect(places(schema)).toEqual([]));
});

describe('what strict mode refuses is named at its place', () => {
  test.each<[string, JsonObject, string[]]>([
    ['an optional property', { ...closed({ a: text, b: text }), required: ['a'] }, ['/properties/b required']],
    ['an open object', { type: 'object', properties: { a: text }, required: ['a'] }, [' additionalProperties']],
    [
      'an explicitly open nested object',
      closed({ a: { ...closed({}), additionalProperties: text } }),
      ['/properties/a/additionalProperties additionalProperties'],
    ],
    ['required without property', { ...closed({ a: text }), required: ['a', 'z'] }, ['/required required']],
    ['a keyword', closed({ a: { oneOf: [text] } }), ['/properties/a/oneOf oneOf', '/properties/a type']],
    ['a length bound', closed({ a: { type: 'string', minLength: 1 } }), ['/properties/a/minLength minLength']],
    ['a format', closed({ a: { type: 'string', format: 'uri' } }), ['/properties/a/format format']],
    ['a value without type', closed({ a: { const: 'x' } }), ['/properties/a type']],
    ['true as a schema', closed({ a: true }), ['/properties/a type']],
    ['an array without items', closed({ a: { type: 'array' } }), ['/properties/a items']],
    ['a tuple', closed({ a: { type: 'array', items: [text] } }), ['/properties/a/items items']],
    ['a choice at the root', { anyOf: [closed({})] }, ['/anyOf anyOf']],
    ['a root that is not an object', { type: 'array', items: text }, ['/type type']],
    ['a dangling reference', closed({ a: { $ref: '#/$defs/b' } }), ['/properties/a/$ref $ref']],
    ['a reference that is not local', closed({ a: { $ref: 'https://example.com/a.json' } }), ['/properties/a/$ref $ref']],
    ['a reference with a broken escape', closed({ a: { $ref: '#/$defs/%' } }, { $defs: { '%': text } }), ['/properties/a/$ref $ref']],
    ['words beside a reference', closed({ a: { $ref: '#/$defs/b', description: 'x' } }, { $defs: { b: text } }), ['/properties/a $ref']],
    [
      'faults inside $defs',
      closed({ a: { $ref: '#/$defs/b' } }, { $defs: { b: { type: 'object', properties: { c: text } } } }),
      ['/$defs/b additionalProperties', '/$defs/b/properties/c required'],
    ],
    [
      'a field named __proto__ left optional',
      { ...closed(JSON.parse('{"__proto__": {"type": "string"}}')), required: [] },
      ['/properties/__proto__ required'],
    ],
  ])('%s', (_name, schema, expected) => expect(places(schema)).toEqual(expected));

  test('a fine-tuned model takes fewer keywords', () => {
    const schema = closed({ a: { type: 'string', pattern: 'x' }, n: { type: 'array', items: text, maxItems: 3 } });
    expect(places(schema)).toEqual([]);
    expect(places(schema, { fineTuned: true })).toEqual(['/properties/a/pattern pattern', '/properties/n/maxItems maxItems']);
  });
});

describe('limits of the whole schema', () => {
  const nested = (levels: number): JsonObject => (levels === 1 ? closed({ x: text }) : closed({ x: nested(levels - 1) }));
  const fields = (count: number, length = 0) =>
    closed(Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index).padStart(length, 'p'), text])));
  const enumOf = (count: number, length: number) =>
    closed({ e: { type: 'string', enum: Array.from({ length: count }, (_, index) => String(index).padStart(length, 'v')) } });

  test('ten levels pass, eleven do not', () => {
    expect(places(nested(10))).toEqual([]);
    expect(places(nested(11))).toEqual([' depth']);
  });
  test('levels are counted through references', () => {
    const chain = {
      ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`n${i}`, closed({ x: { $ref: `#/$defs/n${i + 1}` } })])),
      n10: closed({ x: text }),
    };
    expect(places(closed({ a: { $ref: '#/$defs/n2' } }, { $defs: chain }))).toEqual([]);
    expect(places(closed({ a: { $ref: '#/$defs/n1' } }, { $defs: chain }))).toEqual([' depth']);
  });
  test('many shared references cost no time', () => {
    const defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`n${i}`, { anyOf: [{ $ref: `#/$defs/n${i + 1}` }, { $ref: `#/$defs/n${i + 1}` }] }]),
    );
    expect(places(closed({ a: { $ref: '#/$defs/n0' } }, { $defs: { ...defs, n60: text } }))).toEqual([]);
  });
  test('properties', () => {
    expect(places(fields(strictLimits.properties))).toEqual([]);
    expect(places(fields(strictLimits.properties + 1))).toEqual(['/properties size']);
  });
  test('text in names', () => {
    expect(places(fields(120, 1000))).toEqual([]);
    expect(places(fields(121, 1000))).toEqual([' size']);
  });
  test('enum values', () => {
    expect(places(enumOf(1000, 3))).toEqual([]);
    expect(places(enumOf(1001, 3))).toEqual([' enum']);
  });
  test('text in one large enum', () => {
    expect(places(enumOf(250, 100))).toEqual([]);
    expect(places(enumOf(251, 59))).toEqual([]);
    expect(places(enumOf(251, 60))).toEqual(['/properties/e/enum enum']);
  });
  test('a schema nested ten thousand deep is refused, not crashed on', () => {
    let schema: JsonObject = text;
    for (let level = 0; level < 10_000; level += 1) schema = closed({ x: schema });
    expect(places(schema).at(-1)).toBe(' depth');
  });
  test('a cyclic reference ends', () => {
    const schema = closed({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } });
    expect(places(schema)).toEqual([]);
  });
});
