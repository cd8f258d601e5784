import { expect, test } from 'vitest';
import { isObject } from '../../core/json.js';
import { kinds } from '../../core/kinds.js';
import { fieldDocs, partsOf, schemaIdOf, schemasAt } from '../../server/schemaDocs.js';

/** Every path of fields that a kind's schema names, to some depth: lists by their first item, maps by the name `any`. */
function pathsOf(kind: (typeof kinds)[number], path: readonly (string | number)[] = []): readonly (string | number)[][] {
  if (path.length > 5) return [];
  const below = new Set<string | number>();
  for (const { schema } of schemasAt(kind, path).flatMap(partsOf)) {
    for (const name of isObject(schema.properties) ? Object.keys(schema.properties) : []) below.add(name);
    if (isObject(schema.items)) below.add(0);
    if (isObject(schema.additionalProperties)) below.add('any');
  }
  // A schema inside a schema says nothing new.
  const isSchema = path.includes('output_schema') || path.includes('input_schema');
  return [...below].flatMap((name) => [[...path, name], ...(isSchema ? [] : pathsOf(kind, [...path, name]))]);
}

test.each(kinds)('every field of a file of kind %s is documented', (kind) => {
  const paths = pathsOf(kind);
  expect(paths.length).toBeGreaterThan(2);
  const without = paths.filter((path) => path.at(-1) !== 0 && (fieldDocs(kind, path)?.description ?? '') === '');
  expect(without).toEqual([]);
  expect(schemaIdOf(kind)).toMatch(/^agent-stack:\w+\.schema\.json$/);
});

test('tells type, values, default, limits and whether a field must be there', () => {
  expect(fieldDocs('agent', ['agent_type'])).toMatchObject({
    name: 'agent_type',
    types: ['string'],
    values: ['single_shot', 'react', 'orchestrating'],
    default: 'single_shot',
    required: false,
  });
  expect(fieldDocs('agent', ['temperature'])).toMatchObject({ types: ['number'], minimum: 0, maximum: 2, examples: [0, 0.7] });
  expect(fieldDocs('baseline', ['format'])).toMatchObject({ required: true });
});

test('finds its way through references, lists, maps and conditions', () => {
  const rule = ['teams', 'any name', 'routing', 'rules', 2];
  expect(fieldDocs('orchestration', [...rule, 'next_team'])?.description).toContain('null ends the run');
  expect(fieldDocs('orchestration', [...rule, 'condition', 1, 'any', 0, 'not', 'operator'])?.values).toContain('less_than');
  expect(schemasAt('orchestration', [...rule, 'condition', 'not'])[0]?.definition).toBe('condition');
  expect(fieldDocs('system', ['agents', 'A2', 'budget', 'max_cost'])?.types).toEqual(['number']);
});

test('knows JSON Schema inside output_schema, and that names of fields are none of its keywords', () => {
  const field = ['output_schema', 'properties', 'enum'];
  expect(fieldDocs('agent', [...field, 'minLength'])?.description).toBe('Fewest characters of the text.');
  expect(fieldDocs('agent', field)?.description).toContain('A JSON Schema');
  expect(fieldDocs('persona', ['input_schema', 'anyOf', 3, 'items', 'format'])?.values).toContain('date-time');
});

test('an unknown field has no documentation, even with a name of Object.prototype', () => {
  for (const name of ['nope', '__proto__', 'constructor', 'toString', '']) {
    expect(fieldDocs('agent', [name])).toBeUndefined();
    expect(fieldDocs('agent', ['output_schema', name])).toBeUndefined();
  }
  expect(fieldDocs('agent', [0])).toBeUndefined();
});
