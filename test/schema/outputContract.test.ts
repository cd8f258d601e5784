import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { OutputContract } from '../../core/schema/outputContract.js';
import { childOf, namesIn } from '../../core/schema/schemaChild.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';

const tone = { type: 'string', enum: ['warm', 'dry'] };

function choicesOf(schema: JsonObject, field = 'tone') {
  const contract = new OutputContract(schema);
  const { properties, pointer } = contract.fields;
  const choices = contract.choices({ schema: properties[field] ?? true, pointer: `${pointer}/${field}` });
  return choices && { values: choices.values, pointer: choices.pointer, multiple: choices.multiple };
}

describe('a reference leads', () => {
  const fields = { tone: { $ref: '#/$defs/t' } };
  test.each<[string, JsonObject, string]>([
    ['by pointer', { properties: fields, $defs: { t: tone } }, '/$defs/t/enum'],
    ['by pointer with escapes', { properties: { tone: { $ref: '#/$defs/a~1b%20c' } }, $defs: { 'a/b c': tone } }, '/$defs/a~1b c/enum'],
    ['by anchor', { properties: { tone: { $ref: '#tone' } }, $defs: { t: { $anchor: 'tone', ...tone } } }, '/$defs/t/enum'],
    [
      'by the anchor of draft-07',
      { properties: { tone: { $ref: '#tone' } }, definitions: { t: { $id: '#tone', ...tone } } },
      '/definitions/t/enum',
    ],
    ['by id', { $id: 'https://x.test/a', properties: { tone: { $ref: 'tone' } }, $defs: { t: { $id: 'tone', ...tone } } }, '/$defs/t/enum'],
    [
      'by the id of the whole',
      { $id: 'https://x.test/a', properties: { tone: { $ref: 'a#/$defs/t' } }, $defs: { t: tone } },
      '/$defs/t/enum',
    ],
    [
      'relative to the nearest id',
      {
        properties: { tone: { $id: 'inner', $ref: '#/$defs/t', $defs: { t: tone } } },
        $defs: { t: { enum: ['of the whole'] } },
      },
      '/properties/tone/$defs/t/enum',
    ],
    ['to another property', { properties: { tone: { $ref: '#/properties/other' }, other: tone } }, '/properties/other/enum'],
    ['through other references', { properties: fields, $defs: { t: { $ref: '#/$defs/u' }, u: tone } }, '/$defs/u/enum'],
  ])('%s', (_, schema, pointer) => {
    expect(choicesOf(schema)).toEqual({ values: ['warm', 'dry'], pointer, multiple: false });
  });

  test('nowhere when it is remote, broken or circular', () => {
    for (const $ref of ['https://x.test/t', 'file:///etc/passwd', '#/$defs/none', '#none', '#/%', '#/properties/tone']) {
      const schema = { properties: { tone: { $ref } }, $defs: { t: tone } };
      expect(choicesOf(schema)).toBeUndefined();
      expect(new OutputContract(schema).isResolvable(schema.properties.tone)).toBe(false);
    }
  });
});

describe('choices', () => {
  const of = (field: JsonObject, more: JsonObject = {}) => choicesOf({ properties: { tone: field }, ...more });
  test('are those of an enum, a const, a list, a member of allOf, and of all alternatives', () => {
    expect(of({ const: 'warm' })).toEqual({ values: ['warm'], pointer: '/properties/tone/const', multiple: false });
    expect(of({ enum: [1, 'warm', null] })?.values).toEqual([1, 'warm']);
    expect(of({ type: 'array', items: tone })).toEqual({ values: ['warm', 'dry'], pointer: '/properties/tone/items/enum', multiple: true });
    expect(of({ allOf: [{ type: 'string' }, tone] })?.pointer).toBe('/properties/tone/allOf/1/enum');
    expect(of({ anyOf: [tone, { type: 'null' }] })?.values).toEqual(['warm', 'dry']);
    expect(of({ oneOf: [tone, { const: 'loud' }] })).toEqual({
      values: ['warm', 'dry', 'loud'],
      pointer: '/properties/tone/oneOf',
      multiple: false,
    });
  });

  test('there are none where anything else is allowed too', () => {
    expect(of({ anyOf: [tone, { type: 'string' }] })).toBeUndefined();
    expect(of({ type: 'array', items: { type: 'array', items: tone } })).toBeUndefined();
    expect(of({ type: 'string' })).toBeUndefined();
  });

  test('a recursive schema ends the search', () => {
    expect(of({ $ref: '#/$defs/a' }, { $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, tone] } } })).toBeUndefined();
    expect(of({ $ref: '#' })).toBeUndefined();
  });
});

describe('fields', () => {
  const namesOf = (schema: JsonObject) => {
    const { properties, pointer, complete } = new OutputContract(schema).fields;
    return { names: Object.keys(properties), pointer, complete };
  };
  const person = { type: 'object', properties: { name: {}, age: {} } };
  test('are those of the root, or of what the root stands for', () => {
    expect(namesOf(person)).toEqual({ names: ['name', 'age'], pointer: '/properties', complete: true });
    expect(namesOf({ $ref: '#/$defs/p', $defs: { p: person } })).toEqual({
      names: ['name', 'age'],
      pointer: '/$defs/p/properties',
      complete: true,
    });
    expect(namesOf({ allOf: [{ $ref: '#/$defs/p' }], $defs: { p: person } }).complete).toBe(true);
    expect(namesOf({ type: 'object' })).toEqual({ names: [], pointer: '/properties', complete: true });
  });

  test('are not all where a combination or a broken reference may name more', () => {
    expect(namesOf({ ...person, allOf: [{ properties: { more: {} } }] }).complete).toBe(false);
    expect(namesOf({ anyOf: [person, { properties: { other: {} } }] }).complete).toBe(false);
    expect(namesOf({ $ref: '#/$defs/none' }).complete).toBe(false);
    expect(namesOf({ $ref: '#' }).complete).toBe(false);
  });
});

test('a field is looked up through references and combinations', () => {
  const schema: JsonObject = {
    allOf: [{ $ref: '#base' }, { properties: { more: { type: 'string' } } }],
    $defs: { base: { $anchor: 'base', properties: { tone }, required: ['tone'] } },
  };
  const contract = new OutputContract(schema);
  expect(namesIn(contract, schema)).toEqual(['tone', 'more']);
  expect(childOf(contract, schema, 'tone')).toEqual({ schema: tone, required: true, declared: true });
  expect(childOf(contract, schema, 'none').declared).toBe(false);
});

test('a part compiles by itself and judges as it does in the whole', async () => {
  const compiler = await loadSchemaCompiler();
  const judge = (schema: JsonObject, value: string) => {
    const contract = new OutputContract(schema);
    const standalone = contract.standalone(contract.fields.properties.tone as JsonObject);
    const compiled = compiler.compile(standalone as JsonObject);
    return compiled.ok ? compiled.check(value).length === 0 : compiled.problems;
  };
  const parts: readonly JsonObject[] = [
    { properties: { tone } },
    { properties: { tone: { $ref: '#/$defs/a%25b' } }, $defs: { 'a%b': tone } },
    { properties: { tone: { $ref: '#t' } }, $defs: { t: { $anchor: 't', ...tone } } },
    { $id: 'https://x.test/a', properties: { tone: { $ref: 't' } }, $defs: { t: { $id: 't', ...tone } } },
    { $schema: 'https://json-schema.org/draft/2020-12/schema', properties: { tone: { $ref: '#/properties/b' }, b: tone } },
  ];
  for (const schema of parts) {
    expect(judge(schema, 'warm')).toBe(true);
    expect(judge(schema, 'loud')).toBe(false);
  }
  const broken = { properties: { tone, other: { $ref: '#/nowhere' } } };
  expect(judge(broken, 'loud')).toBe(false);
});
