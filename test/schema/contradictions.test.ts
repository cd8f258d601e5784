import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, type JsonObject, listOf } from '../../core/json.js';
import { createSchemaCompiler } from '../../core/schema/ajvSchemaCompiler.js';
import { findContradictions } from '../../core/schema/contradictions.js';
import { runs } from '../support/effort.js';

const compiler = createSchemaCompiler();
const type = fc.constantFrom('string', 'integer', 'number', 'array', 'object', 'boolean', 'null');
const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>('', 'a', 'ab', null, true, [], ['a'], ['a', 'a'], {}, { a: 1 }, { a: 1, b: 2 }),
  fc.integer({ min: -3, max: 6 }),
  fc.constantFrom(0.1, 0.5, 2.5, 1e300, -1e-9),
);
const count = fc.integer({ min: 0, max: 3 });
const bound = fc.oneof(fc.integer({ min: -2, max: 4 }), fc.constantFrom(0.5, 1.5));

const schemas = fc.record<Record<string, unknown>>(
  {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 2 })),
    enum: fc.array(value, { minLength: 1, maxLength: 3 }),
    const: value,
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    exclusiveMaximum: bound,
    multipleOf: fc.constantFrom(0.1, 0.5, 2, 3),
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    items: fc.constantFrom({}, { type: 'string' }, { enum: ['a'] }),
    minProperties: count,
    maxProperties: count,
    required: fc.constantFrom(['a'], ['a', 'b']),
    properties: fc.constantFrom({ a: false }, { a: { type: 'integer' } }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

test('what nothing meets is met by nothing, and what is told to be refused is refused', () => {
  let told = 0;
  fc.assert(
    fc.property(schemas, fc.array(value, { maxLength: 20 }), (schema, values) => {
      const compiled = compiler.compile(schema);
      if (!compiled.ok) return;
      const fits = (candidate: Json) => compiled.check(candidate).length === 0;
      const listed = [...listOf(schema.enum), ...(schema.const === undefined ? [] : [schema.const])];
      for (const { isWhole, pointer } of findContradictions(schema)) {
        told++;
        // Of a schema without a type, limits speak of the values of their own type.
        const isOfAll = isWhole && (schema.type !== undefined || listed.length > 0);
        if (isOfAll)
          for (const candidate of [...values, ...listed])
            expect({ schema, candidate, fits: fits(candidate) }).toEqual({ schema, candidate, fits: false });
        const [, keyword, index] = pointer.split('/');
        if (keyword === 'enum' && index !== undefined)
          expect({ schema, pointer, fits: fits(listOf(schema.enum)[Number(index)] ?? null) }).toEqual({ schema, pointer, fits: false });
      }
    }),
    { numRuns: runs(1_500, 10_000) },
  );
  expect(told).toBeGreaterThan(300);
});
