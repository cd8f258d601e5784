import fc from 'fast-check';
import type { Json, JsonObject } from '../../core/json.js';

/* Schemas small enough to list all their values, and comparisons of them. */

export const letters = ['a', 'b', 'c'] as const;
export const closed = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

export const scalar: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.uniqueArray(fc.constantFrom<Json>(...letters, '', null, 1), { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
  fc.constant({ type: 'boolean' }),
  fc
    .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 }))
    .map(([low, more]) => ({ type: 'integer', minimum: low, maximum: low + more })),
  fc.constantFrom<JsonObject>(
    { type: 'integer', minimum: 0, maximum: 4, multipleOf: 2 },
    { type: 'integer', minimum: 1, maximum: 3, multipleOf: 3 },
  ),
  fc.constantFrom<JsonObject>({ type: 'number', minimum: 0, maximum: 1 }, { type: 'number', minimum: -0.5, exclusiveMaximum: 1 }),
);
const list = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...letters), { minLength: 1, maxLength: 2 }),
    fc.integer({ min: 0, max: 1 }),
    fc.integer({ min: 1, max: 2 }),
  )
  .map(([values, minItems, maxItems]) => ({ type: 'array', items: { enum: values }, minItems, maxItems }));
const nested = fc.tuple(scalar, fc.boolean()).map(([inner, isRequired]) => closed({ b: inner }, isRequired ? ['b'] : []));
export const wideSchema = fc
  .tuple(scalar, fc.oneof(scalar, list), fc.oneof(nested, scalar), fc.subarray(['x', 'y', 'z']))
  .map(([x, y, z, required]) => closed({ x, y, z }, required));
/** Has no `z`, though conditions ask for it. */
export const narrowSchema = fc.tuple(scalar, scalar, fc.subarray(['x', 'y'])).map(([x, y, required]) => closed({ x, y }, required));

export const constant = fc.constantFrom<Json>(...letters, '', null, true, false, 0, 1, 2, 3);
export const comparison = fc.oneof(
  { weight: 4, arbitrary: constant.map((value): JsonObject => ({ operator: 'equals', value })) },
  constant.map((value): JsonObject => ({ operator: 'not_equals', value })),
  fc.array(constant, { minLength: 1, maxLength: 3 }).map((value): JsonObject => ({ operator: 'in', value })),
  fc.constantFrom<JsonObject>({ operator: 'exists' }, { operator: 'is_empty' }),
  fc
    .tuple(fc.constantFrom('greater_than', 'less_than'), fc.constantFrom(-0.5, 0, 0.5, 1, 2, 3))
    .map(([operator, value]): JsonObject => ({ operator, value })),
  fc
    .tuple(fc.constantFrom('contains', 'not_contains'), fc.constantFrom(...letters))
    .map(([operator, value]): JsonObject => ({ operator, value })),
);
