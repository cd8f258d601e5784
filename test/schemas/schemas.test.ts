import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../core/json.js';
import { kinds, namePattern } from '../../core/kinds.js';
import { importScript } from './importScript.js';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'schemas');
const names = readdirSync(folder).map((file) => file.replace('.schema.json', ''));
/** What is printed and kept, and never written by hand. */
const printed = ['behaviour-diff', 'eval-report', 'event', 'fork-report', 'migration', 'model-report', 'permits', 'result'];
const schemas = new Map(names.map((name) => [name, JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8')) as JsonObject]));

const ajv = new Ajv({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  keywords: ['patternErrorMessage', 'mergedByKey'],
});
addFormats.default(ajv);
for (const schema of schemas.values()) ajv.addSchema(schema);

interface Place {
  readonly file: string;
  readonly pointer: string;
  readonly schema: JsonObject;
}

/** The schema a place stands for, `$ref`s of ours followed; a description beside a `$ref` counts. */
function follow(place: Place): Place {
  const reference = place.schema.$ref;
  if (typeof reference !== 'string') return place;
  const [path = '', pointer = ''] = reference.split('#');
  const file = path === '' ? place.file : path.replace('.schema.json', '');
  const schema = valueAt(schemas.get(file), pointer);
  if (!isObject(schema)) throw new Error(`${place.file}${place.pointer}: ${reference} points to nothing`);
  const { $ref: _reference, ...beside } = place.schema;
  const target = follow({ file, pointer, schema });
  return { ...target, schema: { ...target.schema, ...beside } };
}

/** Every schema in a file, with its pointer. */
function* schemasIn(file: string, value: Json, path: readonly string[] = []): Generator<Place> {
  if (!isObject(value)) return;
  yield { file, pointer: pointerOf(...path), schema: value };
  for (const [keyword, inner] of Object.entries(value)) {
    const isMap = ['properties', 'definitions', 'dependencies', 'patternProperties'].includes(keyword);
    const isList = ['allOf', 'anyOf', 'oneOf'].includes(keyword);
    const isOne = ['items', 'additionalProperties', 'propertyNames', 'if', 'then', 'else', 'not'].includes(keyword);
    if (isOne) yield* schemasIn(file, inner, [...path, keyword]);
    else if ((isMap || isList) && typeof inner === 'object' && inner !== null) {
      for (const [name, one] of Object.entries(inner)) yield* schemasIn(file, one, [...path, keyword, name]);
    }
  }
}

const places = [...schemas].flatMap(([file, schema]) => [...schemasIn(file, schema)]);
/** What a person meets when writing a file: fields, list items and values of maps, but not mere conditions on them. */
const written = places.filter(({ pointer }) => !/\/(if|then|else|anyOf|dependencies|allOf)(\/|$)/.test(pointer));
const fields = written
  .filter(({ pointer }) => /\/(properties\/[^/]+|items|additionalProperties)$/.test(pointer))
  .map((place) => ({ ...place, at: `${place.file}${place.pointer}`, target: follow(place) }));

describe('schemas', () => {
  test('there is one for every kind of file, for events, results and reports of evals', () => {
    const ofKinds = kinds.map((kind) => (kind === 'settings' ? 'agentstack' : kind));
    const expected = [...ofKinds, 'definitions', ...printed];
    expect([...names].sort()).toEqual(expected.sort());
  });

  test.each(names)('%s is a valid draft-07 schema', (name) => {
    const schema = schemas.get(name) as JsonObject;
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
    expect(ajv.validateSchema(schema) && ajv.errors).toBeNull();
  });

  test.each(names)('%s has an id that names no host and serves as its file name too', (name) => {
    expect(schemas.get(name)?.$id).toBe(`agent-stack:${name}.schema.json`);
  });

  test('every $ref leads somewhere', () => {
    for (const place of places) expect(() => follow(place)).not.toThrow();
  });

  test('every field at every level has a description fit for a hover', () => {
    expect(fields.length).toBeGreaterThan(300);
    for (const { at, target } of fields) {
      const { description } = target.schema;
      expect(description, at).toEqual(expect.stringMatching(/^[A-Z{].*\.$/));
      expect((description as string).length, at).toBeLessThan(300);
    }
  });

  test('a field with a default says so in its description', () => {
    for (const { at, target } of fields) {
      if (target.schema.default !== undefined) expect(target.schema.description, at).toMatch(/Default /);
    }
  });

  test('every field that is not made of described fields has examples', () => {
    for (const { at, target } of fields) {
      const { examples, items, oneOf } = target.schema;
      if (items === undefined && oneOf === undefined) expect(examples, at).toEqual(expect.arrayContaining([expect.anything()]));
    }
  });

  test('every pattern of a config file says in words what it asks for', () => {
    const patterns = places.filter(({ file, schema }) => typeof schema.pattern === 'string' && !printed.includes(file));
    expect(patterns.length).toBeGreaterThan(10);
    for (const { file, pointer, schema } of patterns) expect(schema.patternErrorMessage, file + pointer).toMatch(/^Must .*[^.]$/);
  });

  test('examples and defaults are valid', () => {
    let count = 0;
    for (const { file, pointer, schema } of places) {
      const samples = [...((schema.examples as Json[] | undefined) ?? []), ...('default' in schema ? [schema.default as Json] : [])];
      if (samples.length === 0) continue;
      const validate = ajv.compile({ $ref: `agent-stack:${file}.schema.json#${encodeURI(pointer)}` });
      for (const sample of samples) {
        count++;
        expect({ at: file + pointer, sample, errors: validate(sample) ? null : validate.errors }).toEqual({
          at: file + pointer,
          sample,
          errors: null,
        });
      }
    }
    expect(count).toBeGreaterThan(300);
  });

  test('every object with fields of ours is closed', () => {
    for (const { file, pointer, schema } of written) {
      if (isObject(schema.properties)) expect(schema.additionalProperties, file + pointer).toBe(false);
    }
  });

  test('$schema and $ignore are allowed at the root of every config file', () => {
    for (const [name, schema] of schemas) {
      if (['definitions', ...printed].includes(name)) continue;
      expect(Object.keys(schema.properties as JsonObject).slice(0, 2), name).toEqual(['$schema', '$ignore']);
    }
  });

  test('a persona has every field of an agent except its identity and whether it is exposed, and requires none', () => {
    const fieldsOf = (schema: Json | undefined) =>
      Object.keys((schema as JsonObject).properties as JsonObject).filter(
        (name) => !['$schema', '$ignore', 'agent_name', 'version', 'expose', 'llm_id'].includes(name),
      );
    const agent = fieldsOf(schemas.get('agent'));
    expect(fieldsOf(schemas.get('persona'))).toEqual(agent);
    expect(schemas.get('persona')?.required).toBeUndefined();
    expect(fieldsOf(valueAt(schemas.get('definitions'), '/definitions/agent_fields'))).toEqual(agent);
    expect(fieldsOf(valueAt(schemas.get('definitions'), '/definitions/llm_fields'))).toEqual(fieldsOf(schemas.get('llm')));
  });

  test('names follow the one pattern of the code', () => {
    expect(valueAt(schemas.get('definitions'), '/definitions/name/pattern')).toBe(namePattern.source);
    for (const [file, field] of [
      ['definitions', 'agent_name'],
      ['definitions', 'agent_version'],
    ] as const) {
      expect(valueAt(schemas.get(file), `/definitions/${field}/pattern`)).toBe(namePattern.source);
    }
    expect(valueAt(schemas.get('orchestration'), '/properties/name/pattern')).toBe(namePattern.source);
    expect(valueAt(schemas.get('mcp'), '/properties/servers/propertyNames/pattern')).toBe(namePattern.source);
  });

  test('names of teams, tasks and steps hold no dot', () => {
    const partName = valueAt(schemas.get('definitions'), '/definitions/part_name/pattern') as string;
    expect(new RegExp(partName).test('review.v1')).toBe(false);
    expect(valueAt(schemas.get('orchestration'), '/properties/teams/propertyNames/pattern')).toBe(partName);
  });

  test('docs/config.md is made from the schemas as they are (npm run generate)', async () => {
    const { docsOf } = await importScript<{ docsOf: (all: Map<string, JsonObject>) => string }>('generate/docs.mjs');
    expect(readFileSync(join(root, 'docs/config.md'), 'utf8')).toBe(docsOf(schemas));
  });
});

describe('events and results', () => {
  const validate = (name: string): ValidateFunction => ajv.getSchema(`agent-stack:${name}.schema.json`) as ValidateFunction;
  const result = valueAt(schemas.get('result'), '/examples/0') as JsonObject;

  test('a result that failed has an error, and one that completed has none', () => {
    const error = { code: 'timeout', message: 'The run took too long.', recoverable: true };
    expect(validate('result')({ ...result, success: false, status: 'failed', output: null, error })).toBe(true);
    expect(validate('result')({ ...result, success: false, status: 'cancelled', output: null, error: null })).toBe(false);
    expect(validate('result')({ ...result, error })).toBe(false);
    expect(validate('result')({ ...result, success: false })).toBe(false);
  });

  test('a result of a run that failed before its snapshot has neither hash nor path', () => {
    const error = { code: 'unknown-agent-config', message: 'No such agent.', recoverable: false };
    const metadata = { ...(result.metadata as JsonObject), snapshot_hash: null, snapshot_path: null, provider: null, model_name: null };
    expect(validate('result')({ ...result, success: false, status: 'failed', output: null, final_response: null, error, metadata })).toBe(
      true,
    );
  });

  test('a failed model call says why', () => {
    const failed = (details: Json) => ({
      ...result,
      success: false,
      status: 'failed',
      error: { code: 'llm', message: 'No.', details, recoverable: false },
    });
    expect(validate('result')(failed({ reason: 'rate-limit', attempts: 3 }))).toBe(true);
    expect(validate('result')(failed({ reason: 'tired' }))).toBe(false);
    expect(validate('result')(failed({}))).toBe(false);
  });

  test('an event has the fields of its type and no others', () => {
    const base = { run_id: '0193f1c2a7b87c3d9e4f5a6b7c8d9e0f', seq: 3, time: '2026-11-21T09:30:00.000Z', final: false };
    const event = validate('event');
    expect(event({ ...base, type: 'chunk', text: 'x' })).toBe(true);
    expect(event({ ...base, type: 'chunk', text: 'x', team: 'a', task: 'b' })).toBe(true);
    expect(event({ ...base, type: 'chunk', text: 'x', team: 'a' })).toBe(false);
    expect(event({ ...base, type: 'chunk', text: 'x', final: true })).toBe(false);
    expect(event({ ...base, type: 'chunk' })).toBe(false);
    expect(event({ ...base, type: 'chunk', text: 'x', step: 1 })).toBe(false);
    expect(event({ ...base, type: 'cry', text: 'x' })).toBe(false);
    expect(event({ ...base, type: 'final', final: true, result })).toBe(true);
    expect(event({ ...base, type: 'final', result })).toBe(false);
    expect(event({ ...base, type: 'route', team: 'a', rule: null, next_team: null, context_updates: null, notes: [] })).toBe(true);
    expect(event({ ...base, time: 'yesterday', type: 'chunk', text: 'x' })).toBe(false);
  });
});
