import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import type { Kind } from '../../core/kinds.js';
import { metaSchemaErrors, validateKind } from '../../core/schema/kindValidators.js';

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Json;
const lines = (kind: Kind, value: Json) => validateKind(kind, value).map(({ pointer, message }) => `${pointer} ${message}`.trim());

interface Case {
  readonly name: string;
  readonly kind: Kind;
  readonly value: Json;
  readonly errors: readonly string[];
}

const agent = { agent_name: 'tagger', version: 'v1' };

describe('validateKind', () => {
  test('accepts the agent of the requirements', () => {
    expect(validateKind('agent', read('../fixtures/schemas/promptShaper.json'))).toEqual([]);
  });

  const cases = read('../fixtures/schemas/wrong.json') as unknown as readonly Case[];
  test.each(cases)('$kind: $name', ({ kind, value, errors }) => {
    expect(lines(kind, value)).toEqual(errors);
  });

  test('costs no memory for what is valid', () => {
    expect(validateKind('agent', agent)).toBe(validateKind('persona', {}));
  });

  test('a null in a layered field is a removal, and no message offers it', () => {
    const nulls = { ...agent, temperature: null, budget: { max_cost: null }, tracing: null, mode: null, enums: null, output_schema: null };
    expect(lines('agent', nulls)).toEqual([]);
    const [error] = validateKind('agent', { ...agent, mode: 'chooser' });
    expect(error?.params).toEqual({ allowedValues: ['Chooser', 'Writer', 'Extractor'] });
    const [typeError] = validateKind('agent', { ...agent, temperature: '1' });
    expect(typeError?.params).toEqual({ type: 'number' });
    expect(lines('agent', { ...agent, agent_name: null })).toEqual(['/agent_name must be a string']);
  });

  test('field names of Object.prototype are unknown fields like any other', () => {
    const value = JSON.parse('{"agent_name":"a","version":"v1","__proto__":1,"constructor":2,"toString":3}') as Json;
    expect(validateKind('agent', value).map(({ params }) => params.additionalProperty)).toEqual(['__proto__', 'constructor', 'toString']);
    const enums = JSON.parse('{"agent_name":"a","version":"v1","enums":{"__proto__":["x"],"constructor":"x"}}') as Json;
    expect(lines('agent', enums)).toEqual(['/enums/constructor must be a list']);
  });

  test('a million mistakes are told in a hundred lines, at once', () => {
    const steps = Array.from({ length: 1_000_000 }, () => ({}));
    const started = process.cpuUsage();
    const errors = validateKind('agent', { ...agent, execution_plan: { steps }, enums: { a: steps } });
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(500);
    expect(errors.length).toBeLessThanOrEqual(250);
    expect(errors.length).toBeGreaterThan(100);
  });

  test('of a million fields that are not allowed, a thousand are told', () => {
    const fields = Object.fromEntries(Array.from({ length: 1_000_000 }, (_, index) => [`field_${index}`, 1]));
    expect(validateKind('agent', { ...agent, ...fields })).toHaveLength(1_000);
  });

  test('ten thousand conditions inside each other are told, not crashed upon', () => {
    let when: JsonObject = { step: 'a', status: 'success' };
    for (let level = 0; level < 10_000; level++) when = { not: when };
    const errors = lines('agent', { ...agent, execution_plan: { steps: [{ name: 'a', llm: 'x', when }] } });
    expect(errors).toEqual(['is nested too deeply to be checked']);
  });

  test('ten thousand conditions of a routing rule inside each other are told too', () => {
    let condition: JsonObject = { task: 'a', status: 'success' };
    for (let level = 0; level < 10_000; level++) condition = { not: condition };
    const routing = { rules: [{ condition, next_team: null }] };
    const team = { name: 'One', tasks: [{ name: 'a', agent: 'tagger@v1' }], routing };
    expect(lines('orchestration', { name: 'flow', entry_team: 'one', teams: { one: team } })).toEqual([
      'is nested too deeply to be checked',
    ]);
  });
});

describe('metaSchemaErrors', () => {
  const errors = (schema: JsonObject, dialect: 'draft-07' | '2020-12') =>
    metaSchemaErrors(schema, dialect).map(({ pointer, message }) => `${pointer} ${message}`);

  test('accepts valid schemas of its dialect', () => {
    expect(errors({ type: 'object', properties: { a: { items: [{}, true] } }, definitions: { b: { $ref: '#' } } }, 'draft-07')).toEqual([]);
    expect(
      errors({ $defs: { a: { prefixItems: [true] } }, unevaluatedProperties: false, dependentRequired: { a: ['b'] } }, '2020-12'),
    ).toEqual([]);
  });

  test('says what is wrong at its place, without the noise of alternatives', () => {
    const schema = { type: 'text', properties: { a: { minLength: -1, enum: 'x' }, b: 5, c: { items: 3 } }, required: 'a' };
    expect(errors(schema, 'draft-07')).toEqual([
      '/required must be a list',
      '/properties/a/minLength must be at least 0',
      '/properties/a/enum must be a list',
      '/properties/b must be an object, true or false',
      '/properties/c/items must be an object, true, false or a list',
      '/type must be one of "array", "boolean", "integer", "null", "number", "object" or "string"',
    ]);
  });

  test('leaves a value given twice in an enum to its own rule', () => {
    expect(errors({ enum: ['a', 'a'] }, 'draft-07')).toEqual([]);
    expect(errors({ enum: ['a', 'a'] }, '2020-12')).toEqual([]);
    expect(errors({ required: ['a', 'a'] }, 'draft-07')).toEqual(['/required must not hold the same item twice']);
  });

  test('the dialects differ: a list of items is draft-07 only', () => {
    expect(errors({ items: [{}] }, 'draft-07')).toEqual([]);
    expect(errors({ items: [{}] }, '2020-12')).toEqual(['/items must be an object, true or false']);
  });

  test('lists of a million values take no quadratic time', () => {
    const many = Array.from({ length: 1_000_000 }, (_, index) => `v${index}`);
    const started = process.cpuUsage();
    for (const dialect of ['draft-07', '2020-12'] as const) {
      expect(errors({ enum: many, required: many }, dialect)).toEqual([]);
      expect(errors({ type: many }, dialect).length).toBeGreaterThan(0);
    }
    // Seconds, where a look at every pair would take hours.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(60_000);
  }, 120_000);

  test('a schema ten thousand levels deep is told, not crashed upon', () => {
    let schema: JsonObject = {};
    for (let level = 0; level < 10_000; level++) schema = { not: schema };
    expect(errors(schema, 'draft-07')).toEqual([' is nested too deeply to be checked']);
    expect(errors(schema, '2020-12')).toEqual([' is nested too deeply to be checked']);
  });
});
