import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { toOutputSchema } from '../../core/llm/providers/anthropic/outputSchema.js';
import { runs } from '../support/effort.js';
import { whyNoMessages } from '../support/loopbackAnthropicCheck.js';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

/** What the API says to a schema. */
function refusal(schema: JsonObject): string | undefined {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'x' }] }];
  return whyNoMessages({ model: 'm', max_tokens: 1, messages, output_config: { format: { type: 'json_schema', schema } } });
}

test('objects are closed, and limits the API does not know stand in the description', () => {
  const schema = object(
    {
      score: { type: 'integer', minimum: 1, maximum: 5, description: 'How good.' },
      tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, minItems: 2 },
      day: { type: 'string', format: 'date' },
      seat: { type: 'string', format: 'seat-number' },
      tone: { enum: ['direct', 'formal'] },
      inner: object({ a: { type: ['string', 'null'] } }, { required: ['a'] }),
    },
    { $schema: 'http://json-schema.org/draft-07/schema#', required: ['score'], additionalProperties: true },
  );
  const result = toOutputSchema(schema)!;
  expect(result).toEqual(
    object(
      {
        score: { type: 'integer', description: 'How good. (minimum: 1, maximum: 5)' },
        tags: { type: 'array', items: { type: 'string', description: '(pattern: "^[a-z]+$")' }, description: '(minItems: 2)' },
        day: { type: 'string', format: 'date' },
        seat: { type: 'string', description: '(format: "seat-number")' },
        tone: { enum: ['direct', 'formal'] },
        inner: object({ a: { type: ['string', 'null'] } }, { required: ['a'], additionalProperties: false }),
      },
      { required: ['score'], additionalProperties: false },
    ),
  );
  expect(refusal(schema)).toBeDefined();
  expect(refusal(result)).toBeUndefined();
});

test('definitions, references and choices stay', () => {
  const schema = object(
    {
      who: { $ref: '#/$defs/person', description: 'Beside a reference nothing may stand.' },
      what: { oneOf: [{ type: 'string' }, { type: 'null' }] },
    },
    { $defs: { person: object({ name: { type: 'string', minLength: 1 } }) } },
  );
  expect(toOutputSchema(schema)).toEqual(
    object(
      { who: { $ref: '#/$defs/person' }, what: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      {
        $defs: { person: object({ name: { type: 'string', description: '(minLength: 1)' } }, { additionalProperties: false }) },
        additionalProperties: false,
      },
    ),
  );
});

test('names that mean something to JavaScript are names', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}}',
  ) as JsonObject;
  expect(JSON.stringify(toOutputSchema(schema))).toBe(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}},"additionalProperties":false}',
  );
});

describe('what the API cannot say is left to the prompt', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }]));
  const unions = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: ['string', 'null'] }]));
  const nested = (depth: number): JsonObject => (depth === 0 ? { type: 'string' } : { type: 'array', items: nested(depth - 1) });

  test.each<[string, JsonObject]>([
    ['a root that is not an object', { type: 'array', items: { type: 'string' } }],
    ['a map', object({ map: { type: 'object', additionalProperties: { type: 'string' } } })],
    ['an object of which nothing is said', object({ free: { type: 'object' } })],
    ['a value without a type', object({ any: {} })],
    ['true for a schema', object({ any: true })],
    ['an array of anything', object({ list: { type: 'array' } })],
    ['a tuple', object({ pair: { type: 'array', items: [{ type: 'string' }] } })],
    ['allOf', object({ both: { allOf: [{ type: 'string' }] } })],
    ['values that are objects', object({ value: { enum: [{ a: 1 }] } })],
    ['patternProperties', object({ map: { type: 'object', properties: { a: { type: 'string' } }, patternProperties: {} } })],
    ['recursion', object({ tree: { $ref: '#/$defs/node' } }, { $defs: { node: object({ next: { $ref: '#/$defs/node' } }) } })],
    [
      'recursion by a detour',
      object(
        { tree: { $ref: '#/$defs/a' } },
        { $defs: { a: object({ b: { $ref: '#/$defs/b' } }), b: { type: 'array', items: { $ref: '#/$defs/a' } } } },
      ),
    ],
    ['a reference to the root', object({ self: { $ref: '#' } })],
    ['a reference to elsewhere', object({ far: { $ref: 'https://example.com/schema.json' } })],
    ['25 optional properties', object(many(25))],
    ['17 unions', object(unions(17), { required: Object.keys(unions(17)) })],
    ['an unknown type', object({ odd: { type: 'decimal' } })],
    ['bottomless nesting', object({ deep: nested(5000) })],
  ])('%s', (_, schema) => {
    expect(toOutputSchema(schema)).toBeUndefined();
  });

  test('up to the limits it is said', () => {
    expect(toOutputSchema(object(many(24)))).toBeDefined();
    expect(toOutputSchema(object(unions(16), { required: Object.keys(unions(16)) }))).toBeDefined();
  });
});

interface Made {
  readonly schema: JsonObject;
  /** Something the schema accepts, without keys it does not name. */
  readonly value: Json;
}

const leaf: fc.Arbitrary<Made> = fc.oneof(
  fc.string({ maxLength: 5 }).map((value) => ({ schema: { type: 'string', maxLength: 9 }, value })),
  fc.integer({ min: 0, max: 9 }).map((value) => ({ schema: { type: 'integer', minimum: 0, maximum: 9 }, value })),
  fc.boolean().map((value) => ({ schema: { type: ['boolean', 'null'] }, value })),
  fc.constantFrom('a', 'b').map((value) => ({ schema: { type: 'string', enum: ['a', 'b'] }, value })),
  fc.constant({ schema: { const: 7 }, value: 7 }),
);
const { node } = fc.letrec<{ node: Made }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    leaf,
    objectOf(tie('node')),
    tie('node').map(({ schema, value }) => ({ schema: { type: 'array', items: schema, maxItems: 3 }, value: [value, value] })),
    fc.tuple(tie('node'), leaf).map(([one, other]) => ({ schema: { anyOf: [other.schema, one.schema] }, value: one.value })),
  ),
}));

function objectOf(parts: fc.Arbitrary<Made>): fc.Arbitrary<Made> {
  const fields = fc.uniqueArray(fc.tuple(fc.string({ maxLength: 4 }), parts, fc.boolean()), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 4,
  });
  return fc.tuple(fields, fc.boolean()).map(([each, isClosed]) => ({
    schema: {
      type: 'object',
      properties: Object.fromEntries(each.map(([name, { schema }]) => [name, schema])),
      required: each.filter(([, , isRequired]) => isRequired).map(([name]) => name),
      ...(isClosed && { additionalProperties: false }),
    },
    value: Object.fromEntries(each.map(([name, { value }]) => [name, value])),
  }));
}

test('any schema becomes one that the API takes and that still allows what it allowed, or none', () => {
  const ajv = new Ajv({ strict: false });
  fc.assert(
    fc.property(objectOf(node), ({ schema, value }) => {
      const result = toOutputSchema(schema);
      if (result === undefined) return;
      expect(refusal(result)).toBeUndefined();
      expect(ajv.validate(schema, value)).toBe(true);
      expect(ajv.validate(result, value)).toBe(true);
    }),
    { numRuns: runs(50, 150) },
  );
});
