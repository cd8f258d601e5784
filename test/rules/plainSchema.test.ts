import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { findStrictViolations } from '../../core/prompt/strictSchema.js';
import { isPlainSchema } from '../../core/rules/support/plainSchema.js';
import { metaSchemaErrors } from '../../core/schema/kindValidators.js';
import { loadSchemaCompiler } from '../../core/schema/loadSchemaCompiler.js';

const label = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '');
const odd = fc.constantFrom<JsonObject>(
  { $ref: '#' },
  { pattern: '(' },
  { minimum: 3 },
  { enum: [] },
  { enum: ['a', 1] },
  { type: 'null' },
  { items: [] },
  { default: 1 },
);

const { field, object } = fc.letrec<{ field: JsonObject; object: JsonObject }>((tie) => ({
  field: fc.oneof(
    { depthSize: 'small' },
    fc.record(
      { type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'array'), description: fc.constantFrom('x', '') },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('string'), enum: fc.array(label, { maxLength: 3 }) }),
    fc.record({ type: fc.constant('array'), items: tie('field') }),
    tie('object'),
    fc.tuple(tie('field'), odd).map(([base, more]) => ({ ...base, ...more })),
  ),
  object: fc
    .tuple(
      fc.dictionary(label, tie('field'), { maxKeys: 4 }),
      fc.constantFrom('all', 'all', 'all', 'reversed', 'more', 'less', 'twice'),
      fc.constantFrom(false, false, true),
    )
    .map(([properties, kind, additionalProperties]) => {
      const names = Object.keys(properties);
      const required = {
        all: names,
        reversed: names.toReversed(),
        more: [...names, 'zzz'],
        less: names.slice(1),
        twice: [...names.slice(1), ...names.slice(1, 2)],
      }[kind];
      return { type: 'object', properties, required, additionalProperties } as JsonObject;
    }),
}));

test('a plain schema is valid in both dialects, meets strict mode and compiles', async () => {
  const schemas = await loadSchemaCompiler();
  let plain = 0;
  fc.assert(
    fc.property(fc.oneof(object, field), (schema) => {
      if (!isPlainSchema(schema)) return;
      plain += 1;
      expect(metaSchemaErrors(schema, 'draft-07')).toEqual([]);
      expect(metaSchemaErrors(schema, '2020-12')).toEqual([]);
      expect(findStrictViolations(schema)).toEqual([]);
      expect(JSON.stringify(schema)).not.toMatch(/"(?:\$ref|pattern|minimum|default)":/);
      if (plain % 20 === 0) expect(schemas.compile(schema).ok).toBe(true);
    }),
    { numRuns: 3000 },
  );
  expect(plain).toBeGreaterThan(100);
});

test.each<[string, boolean, JsonObject]>([
  [
    'a chooser',
    true,
    {
      type: 'object',
      additionalProperties: false,
      required: ['a'],
      properties: { a: { type: 'string', enum: ['x', 'y'], description: 'z' } },
    },
  ],
  [
    'fields of every type',
    true,
    {
      type: 'object',
      additionalProperties: false,
      required: ['b', 'a'],
      properties: { a: { type: 'array', items: { type: 'integer' } }, b: { type: 'boolean' } },
    },
  ],
  ['no properties', true, { type: 'object', additionalProperties: false, required: [], properties: {} }],
  ['an optional field', false, { type: 'object', additionalProperties: false, required: [], properties: { a: { type: 'string' } } }],
  [
    'a field that is required twice',
    false,
    { type: 'object', additionalProperties: false, required: ['a', 'a'], properties: { a: { type: 'string' } } },
  ],
  ['an open object', false, { type: 'object', required: [], properties: {} }],
  ['a list of anything', false, { type: 'object', additionalProperties: false, required: ['a'], properties: { a: { type: 'array' } } }],
  [
    'a keyword out of place',
    false,
    { type: 'object', additionalProperties: false, required: ['a'], properties: { a: { type: 'number', enum: ['x'] } } },
  ],
  ['a description that is no text', false, { type: 'object', additionalProperties: false, required: [], properties: {}, description: 1 }],
  [
    'many values',
    false,
    {
      type: 'object',
      additionalProperties: false,
      required: ['a'],
      properties: { a: { type: 'string', enum: Array.from({ length: 300 }, String) } },
    },
  ],
])('%s: %s', (_name, plain, schema) => {
  expect(isPlainSchema(schema)).toBe(plain);
});
