import fc from 'fast-check';
import type { Json, JsonObject } from '../../core/json.js';

const names = fc.constantFrom('a', 'b', 'c', 'constructor', 'toString');
const scalars: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'abc', '😀', '2024-01-01', 'b-c'),
  fc.constantFrom(0, 1, 2, -1, 0.1, 0.3, 1.5, 3, 1e21),
  fc.boolean(),
  fc.constant(null),
);

const maps = (values: fc.Arbitrary<Json>) =>
  fc.array(fc.tuple(names, values), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));

/** A small JSON value that schemas of `anySchema` have something to say about. */
export const anyValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }) as fc.Arbitrary<Json>,
    maps(tie('value')) as fc.Arbitrary<Json>,
  ),
})).value;

const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const counts = fc.integer({ min: 0, max: 3 });
const limits = fc.constantFrom(-1, 0, 0.1, 1, 1.5, 2);

const simpleConditions = {
  type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
  enum: fc.array(anyValue, { minLength: 1, maxLength: 3 }),
  const: anyValue,
  minimum: limits,
  maximum: limits,
  exclusiveMinimum: limits,
  exclusiveMaximum: limits,
  minLength: counts,
  maxLength: counts,
  minItems: counts,
  maxItems: counts,
  uniqueItems: fc.boolean(),
  required: fc.uniqueArray(names, { maxLength: 2 }),
  title: fc.constant('x'),
};

/** Picks at most three keywords, so that there is something left that fits. */
function pick(keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<JsonObject> {
  const entries = fc.oneof(...Object.entries(keywords).map(([name, values]) => values.map((value) => [name, value] as const)));
  return fc.array(entries, { maxLength: 3 }).map((chosen) => Object.fromEntries(chosen) as JsonObject);
}

/** Only keywords that `fitsSimply` answers. */
export const simpleSchema: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    pick(simpleConditions),
    pick({
      ...simpleConditions,
      items: fc.oneof(fc.boolean(), tie('schema')),
      properties: maps(tie('schema')),
      additionalProperties: fc.boolean(),
    }),
  ),
})).schema;

/** Every keyword of a dialect, with references into three definitions that never lead back to themselves. */
export function anySchema(dialect: 'draft-07' | '2020-12'): fc.Arbitrary<JsonObject> {
  const conditions = {
    ...simpleConditions,
    multipleOf: fc.constantFrom(0.1, 1, 2),
    minProperties: counts,
    maxProperties: counts,
    pattern: fc.constantFrom('^a', 'b$', '\\d{4}', '[^a]', '^.{2}$', '\\s', '^\\p{L}+$'),
    format: fc.constantFrom('date', 'email', 'unheard-of'),
  };
  const rooted = fc.letrec<{ schema: JsonObject; place: Json }>((tie) => {
    const place = tie('place');
    const lists = fc.array(place, { minLength: 1, maxLength: 3 });
    const shared = {
      additionalProperties: place,
      allOf: lists,
      anyOf: lists,
      oneOf: lists,
      not: place,
      contains: place,
      propertyNames: place,
      properties: maps(place),
      patternProperties: fc.tuple(fc.constantFrom('^a', 'o', '^b$'), place).map((entry) => Object.fromEntries([entry])),
      $ref: fc.constantFrom('#/definitions/x', '#/definitions/y', '#/definitions/z'),
    };
    const dependencies = fc
      .tuple(names, fc.oneof(place, fc.uniqueArray(names, { maxLength: 2 })))
      .map((entry) => Object.fromEntries([entry]));
    const conditional = fc
      .tuple(place, place, place)
      .map((parts) => [Object.fromEntries(['if', 'then', 'else'].map((keyword, index) => [keyword, parts[index]]))]);
    const own =
      dialect === 'draft-07'
        ? { items: fc.oneof(place, lists), additionalItems: place, dependencies }
        : {
            items: place,
            prefixItems: lists,
            minContains: counts,
            maxContains: counts,
            dependentRequired: fc.tuple(names, fc.uniqueArray(names, { maxLength: 2 })).map((entry) => Object.fromEntries([entry])),
            dependentSchemas: maps(place),
            unevaluatedProperties: place,
            unevaluatedItems: place,
          };
    return {
      place: fc.oneof({ depthSize: 'small', maxDepth: 4 }, fc.boolean(), tie('schema') as fc.Arbitrary<Json>),
      schema: fc.oneof(
        { depthSize: 'small', maxDepth: 4 },
        pick(conditions),
        pick({ ...conditions, ...shared, ...own, allOf: fc.oneof(lists, conditional) }),
      ),
    };
  }).schema;
  const leaf = pick(conditions);
  return fc.tuple(rooted, leaf, leaf, leaf).map(
    ([schema, x, y, z]) =>
      ({
        ...schema,
        definitions: { x, y: { ...y, items: { $ref: '#/definitions/x' } }, z: { ...z, properties: { a: { $ref: '#/definitions/z' } } } },
      }) as JsonObject,
  );
}
