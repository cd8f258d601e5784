import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { fullFormats } from '../../core/schema/ajvPackage.js';
import { createSchemaCompiler } from '../../core/schema/ajvSchemaCompiler.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { formats } from '../../core/schema/schemaKeywords.js';

const compiler = createSchemaCompiler();

/** Every issue as `path message`; of a schema that does not compile its problems as `kind pointer message`. */
function check(schema: JsonObject | boolean, value: Json): string[] {
  const compiled = compiler.compile(schema);
  if (!compiled.ok) return compiled.problems.map(({ kind, pointer, message }) => `${kind} ${pointer} ${message}`);
  return compiled.check(value).map(({ path, message }) => `${path} ${message}`.trim());
}

const parse = (text: string) => JSON.parse(text) as JsonObject;
const draft2020 = { $schema: 'https://json-schema.org/draft/2020-12/schema' };

/** Fails when it takes longer than a person would wait: in time of the processor, since others use it too. */
function atOnce<Result>(work: () => Result, milliseconds = 5_000): Result {
  const started = process.cpuUsage();
  const result = work();
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(milliseconds);
  return result;
}

describe('a compiled schema', () => {
  const labels = {
    type: 'object',
    required: ['tone', 'depth'],
    properties: {
      tone: { type: 'string', enum: ['direct', 'friendly', 'formal'] },
      depth: { enum: ['short', 'long'] },
      score: { type: 'number', maximum: 1 },
    },
    additionalProperties: false,
  };

  test('has no issue with a value that fits', () => {
    expect(check(labels, { tone: 'direct', depth: 'short', score: 0.5 })).toEqual([]);
    expect(check(true, 1)).toEqual([]);
    expect(check({}, null)).toEqual([]);
  });

  test('tells everything that is wrong at once, each at its place', () => {
    expect(check(labels, { tone: 'rude', score: 2, mood: 'good' })).toEqual([
      'must have the field "depth"',
      '/mood is not allowed: the schema has no field "mood" here',
      '/tone must be one of "direct", "friendly" or "formal"',
      '/score must be at most 1',
    ]);
    expect(check(false, 1)).toEqual(['is not allowed here']);
  });

  test('an issue has a path, a keyword, a message and, where there are such, the values that would do', () => {
    const compiled = compiler.compile(labels);
    expect(compiled.ok && compiled.check({ tone: 'rude', depth: 'short' })).toEqual([
      {
        path: '/tone',
        keyword: 'enum',
        message: 'must be one of "direct", "friendly" or "formal"',
        allowed: ['direct', 'friendly', 'formal'],
      },
    ]);
    expect(compiled.ok && compiled.check({ tone: 'formal' })).toEqual([
      { path: '', keyword: 'required', message: 'must have the field "depth"' },
    ]);
  });

  test('says in plain words what each keyword asks for', () => {
    const cases: [JsonObject, Json, string][] = [
      [{ type: ['string', 'null'] }, 1, 'must be a string or null'],
      [{ type: 'integer' }, 1.5, 'must be a whole number'],
      [{ type: 'boolean' }, 'true', 'must be true or false'],
      [{ const: 'a' }, 'b', 'must be "a"'],
      [{ exclusiveMinimum: 0 }, 0, 'must be more than 0'],
      [{ exclusiveMaximum: 0 }, 0, 'must be less than 0'],
      [{ multipleOf: 5 }, 7, 'must be a multiple of 5'],
      [{ minLength: 1 }, '', 'must not be empty'],
      [{ minLength: 3 }, '😀😀', 'must have at least 3 characters'],
      [{ maxLength: 1 }, 'ab', 'must have at most 1 character'],
      [{ maxItems: 2 }, [1, 2, 3], 'must have at most 2 items'],
      [{ maxItems: 0 }, [1], 'must be empty'],
      [{ minProperties: 2 }, {}, 'must have at least 2 fields'],
      [
        { uniqueItems: true },
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        'must not hold the same item twice',
      ],
      [{ pattern: '^a' }, 'b', 'must match the pattern ^a'],
      [{ format: 'email' }, 'b', 'must be a valid email'],
      [{ contains: { type: 'string' } }, [1, 2], 'must hold at least 1 item of the kind "contains" describes'],
      [{ propertyNames: { maxLength: 2 } }, { abc: 1 }, 'must not have a field called "abc": it must have at most 2 characters'],
      [{ dependencies: { a: ['b'] } }, { a: 1 }, 'must have the field "b", because it has "a"'],
      [{ items: [{}, {}], additionalItems: false }, [1, 2, 3], 'must have at most 2 items'],
      [{ not: { type: 'string' } }, 'x', 'must not be what "not" describes'],
      [parse('{"if":{"minimum":5},"then":{"maximum":9}}'), 10, 'must be at most 9'],
      [{ ...draft2020, dependentRequired: { a: ['b'] } }, { a: 1 }, 'must have the field "b", because it has "a"'],
      [{ ...draft2020, prefixItems: [{ type: 'string' }], items: false }, ['a', 1], 'must have at most 1 item'],
      [
        { ...draft2020, contains: { type: 'string' }, minContains: 2, maxContains: 3 },
        ['a'],
        'must hold 2 to 3 items of the kind "contains" describes',
      ],
    ];
    for (const [schema, value, message] of cases) expect({ schema, issues: check(schema, value) }).toEqual({ schema, issues: [message] });
  });

  test('a long list of values is cut, and so are long values', () => {
    expect(check({ enum: Array.from({ length: 40 }, (_, index) => index) }, 'x')[0]).toMatch(/10, 11 or one of 28 more$/);
    expect(check({ const: 'x'.repeat(10_000) }, 'y')[0]?.length).toBeLessThan(120);
  });

  describe('of alternatives', () => {
    const shapes = {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'circle' }, radius: { type: 'number' } }, required: ['kind', 'radius'] },
        {
          type: 'object',
          properties: { kind: { const: 'box' }, width: { type: 'number' }, height: { type: 'number' } },
          required: ['kind', 'width', 'height'],
        },
      ],
    };

    test.each<[string, JsonObject, Json, string[]]>([
      [
        'tells the types when none is of the right one',
        { anyOf: [{ type: 'string' }, { type: 'array' }] },
        1,
        ['must be a string or a list'],
      ],
      ['gathers the values of all', { anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }] }, 'x', ['must be one of "a", "b" or "c"']],
      ['gathers the values of the field that tells them apart', shapes, { kind: 'line' }, ['/kind must be "circle" or "box"']],
      ['looks at the one that is meant', shapes, { kind: 'box', width: '1', height: 2 }, ['/width must be a number']],
      [
        'leaves out those of another type',
        { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 2 }] },
        'abc',
        ['must have at most 2 characters'],
      ],
      ['gathers the missing fields', { anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {}, ['must have the field "a" or "b"']],
      [
        'says when too many fit',
        { oneOf: [{ minimum: 1 }, { maximum: 9 }, { type: 'string' }] },
        5,
        ['must fit exactly one of 3 alternatives, but fits several'],
      ],
      [
        'names the nearest when all are different',
        { anyOf: [{ minimum: 9, multipleOf: 4 }, { maximum: 1 }] },
        5,
        ['must fit one of 2 alternatives; for the nearest it must be at most 1'],
      ],
      [
        'keeps what is wrong elsewhere',
        { properties: { a: { type: 'string' }, b: { anyOf: [{ const: 1 }, { const: 2 }] }, c: { type: 'null' } } },
        { a: 1, b: 3, c: 1 },
        ['/a must be a string', '/b must be 1 or 2', '/c must be null'],
      ],
      [
        'inside alternatives',
        { anyOf: [{ type: 'number' }, { type: 'object', properties: { v: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }] },
        { v: 1 },
        ['/v must be a string or null'],
      ],
    ])('%s', (_name, schema, value, expected) => {
      expect(check(schema, value)).toEqual(expected);
    });
  });

  test('never changes a value', () => {
    const value = Object.freeze({ n: '1', list: Object.freeze([1]) });
    check({ properties: { n: { type: 'number' }, list: { type: 'string' }, missing: { default: 3 } } }, value);
    expect(value).toEqual({ n: '1', list: [1] });
  });

  test('knows decimal multiples as people do', () => {
    expect(check({ multipleOf: 0.01 }, 19.99)).toEqual([]);
    expect(check({ multipleOf: 0.1 }, 0.3)).toEqual([]);
    expect(check({ multipleOf: 0.1 }, 0.35)).toEqual(['must be a multiple of 0.1']);
  });

  test('tolerates keywords and formats it does not know, whatever they hold', () => {
    const odd = {
      type: 'string',
      nullable: true,
      $async: true,
      id: 'x',
      discriminator: 3,
      'x-order': [],
      format: 'phone-of-moon',
      examples: 'none',
    };
    expect(check({ ...odd, examples: ['a'] }, 'a')).toEqual([]);
    expect(check({ ...odd, examples: [] }, null)).toEqual(['must be a string']);
    for (const format of ['__proto__', 'constructor', 'toString']) expect(check({ format }, 'a')).toEqual([]);
  });

  test('checks the formats of the specification', () => {
    const samples: [string, string, string][] = [
      ['date', '2024-02-29', '2023-02-29'],
      ['date-time', '2024-01-01T00:00:00Z', '2024-01-01'],
      ['time', '10:00:00Z', '25:00:00Z'],
      ['duration', 'P1D', '1D'],
      ['email', 'a@b.org', 'a'],
      ['hostname', 'example.org', '-x'],
      ['ipv4', '127.0.0.1', '256.0.0.1'],
      ['ipv6', '::1', ':::'],
      ['uri', 'urn:a:b', 'a b'],
      ['uri-reference', '/a', 'a b'],
      ['uri-template', '/a{b}', '{'],
      ['url', 'https://example.org/a', 'example'],
      ['uuid', '0193f1c2-a7b8-7c3d-9e4f-5a6b7c8d9e0f', '0193'],
      ['json-pointer', '/a/~0', 'a'],
      ['regex', 'a+', 'a('],
    ];
    for (const [format, right, wrong] of samples) {
      expect({ format, right: check({ format }, right), wrong: check({ format }, wrong) }).toEqual({
        format,
        right: [],
        wrong: [`must be a valid ${format}`],
      });
    }
  });

  test('reads 2020-12 where $schema says so or a keyword of it stands, otherwise draft-07', () => {
    const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#' };
    const schema = { properties: { a: true }, unevaluatedProperties: false };
    const refusal = ['/b is not allowed: the schema has no field "b" here'];
    expect(check({ ...draft07, ...schema }, { b: 1 })).toEqual([]);
    for (const marker of [{}, draft2020, { $schema: 'http://json-schema.org/schema#' }]) {
      expect(check({ ...marker, ...schema }, { b: 1 })).toEqual(refusal);
    }
    expect(check({ ...draft2020, items: [{}] }, [])).toEqual(['schema /items must be an object, true or false']);
    expect(check({ items: [{ type: 'string' }] }, [1])).toEqual(['/0 must be a string']);
    const inside = (part: JsonObject) => ({ $ref: '#/components/pair', components: { pair: part } });
    expect(check(inside({ prefixItems: [{ type: 'string' }], items: false }), ['a', 1])).toEqual(['must have at most 1 item']);
    // Values and names are no keywords.
    expect(check({ properties: { prefixItems: {} }, default: { minContains: 1 }, items: [{}] }, {})).toEqual([]);
  });

  test('knows by name the formats that it checks', () => {
    expect([...formats].sort()).toEqual(Object.keys(fullFormats).sort());
  });

  test('of a meta-schema that is not known, nothing is guessed', () => {
    expect(check({ $schema: 'https://example.com/meta' }, 1)).toEqual([
      'schema /$schema must be that of draft-07 or 2020-12, not "https://example.com/meta"',
    ]);
    expect(check({ ...draft2020, not: { $schema: 'http://json-schema.org/draft-07/schema#' } }, 1)).toEqual([
      'schema /not/$schema must be that of the whole schema, or be left out, not "http://json-schema.org/draft-07/schema#"',
    ]);
  });

  test('refuses keywords beside $ref where draft-07 is asked for, since it ignores them', () => {
    const schema = {
      properties: { a: { $ref: '#/definitions/t', description: 'A.', maxLength: 1 } },
      definitions: { t: { type: 'string' } },
    };
    expect(check(schema, { a: 'ab' })).toEqual(['/a must have at most 1 character']);
    expect(check({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, {})).toEqual([
      'schema /properties/a/maxLength has no effect beside "$ref" in draft-07; put the "$ref" into "allOf", or leave out the "$schema"',
    ]);
  });

  test('decides on decimal digits what a multiple is', () => {
    const cases: [value: number, of: number, fits: boolean][] = [
      [1234567.89, 0.01, true],
      [1234567.891, 0.01, false],
      [5000000001, 5000000000, false],
      [1e308, 0.123456789, false],
      [1e300, 1e-10, true],
      [-0.3, 0.1, true],
      [0, 1e-300, true],
      [1e-7, 1e-8, true],
      [1.5e-7, 1e-7, false],
    ];
    for (const [value, multipleOf, fits] of cases) {
      expect({ value, multipleOf, fits: check({ multipleOf }, value).length === 0 }).toEqual({ value, multipleOf, fits });
    }
  });

  test('what an if, an alternative or a list of items has evaluated is known, and where contains has, the schema is refused', () => {
    const first = { properties: { a: true }, required: ['a'] };
    const ifAlone = { if: first, unevaluatedProperties: false };
    expect(check(ifAlone, { a: 1 })).toEqual([]);
    expect(check({ ...ifAlone, else: true }, { b: 1 })).toEqual(['/b is not allowed: the schema has no field "b" here']);
    const texts = { anyOf: [{ items: { type: 'string' } }, true], unevaluatedItems: { type: 'boolean' } };
    expect([['a', 'b'], [true], ['a', true]].map((list) => check(texts, list).length === 0)).toEqual([true, true, false]);
    expect(check({ allOf: [{ contains: { type: 'string' } }], unevaluatedItems: false }, [])).toEqual([
      'schema /unevaluatedItems cannot be judged together with "contains"; describe the items with "items" and "prefixItems"',
    ]);
  });

  test('follows a dynamic reference that can lead to one place only, and refuses others', () => {
    const tree = { $dynamicAnchor: 'node', type: 'object', properties: { child: { $dynamicRef: '#node' } } };
    expect(check(tree, { child: { child: 1 } })).toEqual(['/child/child must be an object']);
    expect(check({ $ref: 'tree', $dynamicAnchor: 'node', $defs: { tree: { $id: 'tree', ...tree } } }, {})).toEqual([
      'ref /$defs/tree/properties/child/$dynamicRef leads to another schema depending on the value, which is not supported: several have its name; use "$ref"',
    ]);
  });
});

describe('names of Object.prototype', () => {
  test('are missing when the value does not have them itself', () => {
    const required = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
    expect(check({ required }, {})).toEqual(required.map((name) => `must have the field "${name}"`));
    expect(check({ required }, parse('{"constructor":1,"toString":1,"__proto__":1,"hasOwnProperty":1}'))).toEqual([]);
  });

  test('are fields with schemas of their own', () => {
    const schema = parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"additionalProperties":false}');
    expect(check(schema, {})).toEqual([]);
    expect(check(schema, parse('{"__proto__":"a","constructor":1}'))).toEqual([]);
    expect(check(schema, parse('{"__proto__":1,"constructor":"a","valueOf":1}')).sort()).toEqual([
      '/__proto__ must be a string',
      '/constructor must be a number',
      '/valueOf is not allowed: the schema has no field "valueOf" here',
    ]);
  });

  test('are patterns, dependencies, definitions and values like any other', () => {
    expect(check(parse('{"patternProperties":{"__proto__":{"type":"string"}}}'), parse('{"a__proto__b":1}'))).toEqual([
      '/a__proto__b must be a string',
    ]);
    expect(check(parse('{"dependencies":{"__proto__":["a"]}}'), parse('{"__proto__":1}'))).toEqual(['must have the field "a"']);
    expect(check({ ...draft2020, ...parse('{"dependentSchemas":{"__proto__":{"required":["a"]}}}') }, parse('{"__proto__":1}'))).toEqual([
      'must have the field "a"',
    ]);
    expect(check(parse('{"$ref":"#/definitions/__proto__","definitions":{"__proto__":{"type":"string"}}}'), 1)).toEqual([
      'must be a string',
    ]);
    const allowed = parse('{"enum":[{"constructor":{"a":1}},{"valueOf":1},{"__proto__":{"a":1}}]}');
    for (const text of ['{"constructor":{"a":1}}', '{"valueOf":1}', '{"__proto__":{"a":1}}'])
      expect(check(allowed, parse(text))).toEqual([]);
    expect(check(allowed, parse('{"valueOf":2}'))).toHaveLength(1);
    expect(check(allowed, {})).toHaveLength(1);
    expect(check({ uniqueItems: true }, ['__proto__', '__proto__'])).toEqual(['must not hold the same item twice']);
  });

  test('are unevaluated until something has looked at them', () => {
    const unevaluated = (properties: string) => ({
      ...draft2020,
      ...parse(`{"anyOf":[{"properties":${properties}}],"unevaluatedProperties":false}`),
    });
    const value = parse('{"__proto__":1,"constructor":1}');
    expect(check(unevaluated('{"a":true}'), value)).toHaveLength(2);
    expect(check(unevaluated('{"constructor":true}'), value)).toEqual([
      '/__proto__ is not allowed: the schema has no field "__proto__" here',
    ]);
    expect(check(unevaluated('{"constructor":true,"__proto__":true}'), value)).toEqual([]);
  });
});

describe('$ref', () => {
  test('leads to definitions, anchors, ids and any place in the same schema', () => {
    const text = { type: 'string' };
    const cases: JsonObject[] = [
      { $ref: '#/definitions/a', definitions: { a: text } },
      { $ref: '#/$defs/a', $defs: { a: text } },
      { $ref: '#/components/schemas/a', components: { schemas: { a: text } } },
      { $ref: '#/$defs/a~1b%20c~0', $defs: { 'a/b c~': text } },
      { allOf: [{ $ref: '#/properties/a' }], properties: { a: text } },
      { $ref: '#name', definitions: { a: { $id: '#name', ...text } } },
      { ...draft2020, $ref: '#name', $defs: { a: { $anchor: 'name', ...text } } },
      { ...draft2020, $dynamicRef: '#name', $defs: { a: { $dynamicAnchor: 'name', ...text } } },
      { $id: 'https://example.org/root.json', $ref: 'item.json', definitions: { a: { $id: 'item.json', ...text } } },
      { $id: 'https://example.org/root.json', $ref: 'https://example.org/root.json#/definitions/a', definitions: { a: text } },
      { definitions: { a: { $id: 'urn:x:a', $ref: '#/definitions/b', definitions: { b: text } }, b: {} }, $ref: 'urn:x:a' },
      { $ref: '#/definitions/a', definitions: { a: { $ref: '#/definitions/b' }, b: text } },
    ];
    for (const schema of cases)
      expect({ schema, issues: [check(schema, 1), check(schema, 'a')] }).toEqual({ schema, issues: [['must be a string'], []] });
  });

  test('keywords beside it count', () => {
    expect(check({ $ref: '#/definitions/a', maxLength: 2, definitions: { a: { type: 'string' } } }, 'abc')).toEqual([
      'must have at most 2 characters',
    ]);
  });

  test('that leaves the schema is a problem at its place, and nothing is fetched', () => {
    const fetched = globalThis.fetch;
    globalThis.fetch = () => expect.fail('fetched');
    const schema = { properties: { a: { $ref: 'https://example.org/a.json' }, b: { items: { $ref: 'b.json#/x' } } } };
    expect(check(schema, {})).toEqual([
      'ref /properties/a/$ref must refer to a place in this schema (#/$defs/name), not to "https://example.org/a.json"; nothing is fetched',
      'ref /properties/b/items/$ref must refer to a place in this schema (#/$defs/name), not to "b.json#/x"; nothing is fetched',
    ]);
    globalThis.fetch = fetched;
  });

  test('that points to nothing, or to what is not a schema, is a problem', () => {
    for (const reference of [
      '#/definitions/b',
      '#/definitions/a/',
      '#nowhere',
      '#/definitions/a/type',
      '#/required/0',
      '#/%',
      '#/definitions/constructor',
      '#/definitions/a/__proto__',
    ]) {
      const schema = { $ref: reference, definitions: { a: { type: 'string' } }, required: ['x'] };
      expect(check(schema, {})).toEqual([`ref /$ref must refer to a schema, but nothing is at ${JSON.stringify(reference)}`]);
    }
  });

  test('may go in circles through the value', () => {
    const tree = {
      type: 'object',
      properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['value'],
    };
    expect(check(tree, { value: 1, children: [{ value: 2, children: [{ value: 'x' }, {}] }] })).toEqual([
      '/children/0/children/0/value must be a number',
      '/children/0/children/1 must have the field "value"',
    ]);
  });

  test('that leads back to itself without a step into the value is a problem', () => {
    const circles: [JsonObject, string][] = [
      [{ $ref: '#' }, '/$ref'],
      [{ allOf: [{ anyOf: [{ $ref: '#' }, true] }] }, '/allOf/0/anyOf/0/$ref'],
      [
        {
          properties: { a: { $ref: '#/definitions/a' } },
          definitions: { a: { not: { $ref: '#/definitions/b' } }, b: { if: { $ref: '#/definitions/a' } } },
        },
        '/definitions/b/if/$ref',
      ],
      [{ ...draft2020, dependentSchemas: { a: { $ref: '#' } } }, '/dependentSchemas/a/$ref'],
    ];
    for (const [schema, pointer] of circles)
      expect(check(schema, {})).toEqual([`ref ${pointer} must not lead back to itself: it never describes a value`]);
  });
});

describe('patterns', () => {
  test('are ECMAScript, found anywhere in the text', () => {
    expect(check({ pattern: '\\d{3}\\-\\d{4}' }, 'call 555-1234 now')).toEqual([]);
    expect(check({ pattern: '^\\p{Lu}\\w*$' }, 'Éa')).toEqual([]);
    expect(check({ patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false }, { 'x-a': 1, b: 1 })).toEqual([
      '/b is not allowed: the schema has no field "b" here',
      '/x-a must be a string',
    ]);
  });

  test('that no linear-time engine can run are problems at their places', () => {
    const schema = {
      properties: { a: { pattern: '(?=a)b' }, 'b/c': { pattern: '(a)\\1' } },
      patternProperties: { '(?<!x/)y': true },
      propertyNames: { pattern: '[' },
    };
    const compiled = compiler.compile(schema);
    expect(compiled.ok ? [] : compiled.problems.map(({ kind, pointer }) => `${kind} ${pointer}`).sort()).toEqual([
      'pattern /patternProperties/(?<!x~1)y',
      'pattern /properties/a/pattern',
      'pattern /properties/b~1c/pattern',
      'pattern /propertyNames/pattern',
    ]);
  });

  test('finish at once on texts that would keep a backtracking engine busy for ages', () => {
    for (const pattern of ['(a+)+$', '^(a|a)*$', '(.*a){20}$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y', '[ab]*a[ab]{200}[cd]']) {
      const text = `${'ab'.repeat(50_000)}!`;
      atOnce(() => check({ pattern }, text), 3_000);
    }
  });

  test('formats finish at once on long texts', () => {
    const texts = ['a', 'a:', '1', '/', '{a,', '%41', '.a', 'a@a.', '-', 'P1'].map((part) => part.repeat(100_000));
    for (const format of [
      'date',
      'date-time',
      'time',
      'duration',
      'email',
      'hostname',
      'ipv4',
      'ipv6',
      'uri',
      'uri-reference',
      'uri-template',
      'url',
      'uuid',
      'json-pointer',
      'regex',
      'byte',
    ]) {
      for (const text of texts) {
        const compiled = compiler.compile({ format });
        for (const start of ['', 'http://', 'a@', '{', '#']) atOnce(() => compiled.ok && compiled.check(start + text));
      }
    }
  }, 30_000);
});

describe('hostile schemas and values', () => {
  test('no name or text of a schema becomes code', () => {
    const hostile = [
      '"]; globalThis.hacked = true; //',
      "'; globalThis.hacked = true; '",
      '`$' + '{globalThis.hacked = true}`',
      '\u2028globalThis.hacked = true\u2029',
      '*/ globalThis.hacked = true /*',
      '\\"; globalThis.hacked = true; //',
      'for(let i0=0; i0<9; i0++){globalThis.hacked = true;}',
      'let vErrors = null;',
      'errors++;',
      'constructor.constructor("globalThis.hacked = true")()',
      '\n}globalThis.hacked = true;{',
      '\\',
      '"',
    ];
    for (const name of hostile) {
      const literal = name
        .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
        .replaceAll('\u2028', '\\u2028')
        .replaceAll('\u2029', '\\u2029');
      const schema = {
        properties: { [name]: { const: name, title: name, $comment: name } },
        required: [name],
        patternProperties: { [`^${literal}$`]: { enum: [name, 1] } },
        dependencies: { [name]: [name], [`${name}x`]: { required: [name] } },
        propertyNames: { enum: [name] },
        definitions: { [name]: { pattern: literal } },
        anyOf: [{ $ref: `#/definitions/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}` }, { const: name }],
        default: name,
      };
      expect({ name, issues: check(schema, { [name]: name }) }).toEqual({ name, issues: [] });
      expect(check(schema, { [name]: 2 }).length).toBeGreaterThan(0);
      expect(check({ ...draft2020, ...schema, unevaluatedProperties: false }, { [name]: name })).toEqual([]);
      expect(check(schema, {})).toEqual([expect.stringContaining('must have the field')]);
    }
    expect('hacked' in globalThis).toBe(false);
  });

  test('a schema that is too deep or too large is a problem', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 10_000; level++) deep = { items: deep };
    expect(atOnce(() => check(deep, 1))).toEqual(['schema  must not be nested deeper than 250 levels']);
    const wide = { properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`p${index}`, {}])) };
    expect(atOnce(() => check(wide, 1))).toEqual(['schema  must not hold more than 20000 schemas']);
    const long = { enum: Array.from({ length: 1_200_000 }, (_, index) => index) };
    expect(atOnce(() => check(long, 1))).toEqual(['schema  must not hold more than 1000000 values']);
  });

  test('a schema as deep as is allowed compiles and checks', () => {
    let deep: JsonObject = { type: 'string' };
    let value: Json = 1;
    for (let level = 0; level < 124; level++) {
      deep = { properties: { a: deep } };
      value = { a: value };
    }
    expect(atOnce(() => check(deep, value), 5_000)).toEqual([`${'/a'.repeat(124)} must be a string`]);
    let alternatives: JsonObject = { type: 'string' };
    for (let level = 0; level < 124; level++) alternatives = { anyOf: [alternatives] };
    expect(atOnce(() => check(alternatives, 1), 5_000)).toEqual(['must be a string']);
  });

  test('a long chain of references is told or followed', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 15_000 }, (_, index) => [`d${index}`, { $ref: `#/definitions/d${index + 1}` }]),
    );
    const issues = atOnce(
      () => check({ $ref: '#/definitions/d0', definitions: { ...definitions, d15000: { type: 'string' } } }, 1),
      10_000,
    );
    expect(issues).toHaveLength(1);
  }, 20_000);

  test('a value ten thousand levels deep is refused by a recursive schema', () => {
    let value: Json = 1;
    for (let level = 0; level < 10_000; level++) value = { next: value };
    expect(check({ properties: { next: { $ref: '#' } } }, value)).toEqual(['is nested too deeply to be checked']);
    expect(check({ uniqueItems: true }, [value])).toEqual(['is nested too deeply to be checked']);
  });

  test('alternatives that hold each other take no exponential time', () => {
    const node = {
      anyOf: ['a', 'b'].map((name) => ({ allOf: [{ properties: { next: { $ref: '#/definitions/node' } } }, { required: [name] }] })),
    };
    let value: Json = { a: 1, b: 1 };
    for (let level = 0; level < 60; level++) value = { next: value };
    const issues = atOnce(() => check({ $ref: '#/definitions/node', definitions: { node } }, value), 60_000);
    expect(issues).toEqual(['takes too long to be checked against this schema']);
  }, 120_000);

  test('a hundred thousand wrong items are told in at most a hundred issues, at once', () => {
    const items = Array.from({ length: 100_000 }, (_, index) => ({ index }));
    const issues = atOnce(() => check({ items: { $ref: '#/definitions/a' }, definitions: { a: { required: ['x'] } } }, items));
    expect(issues[0]).toBe('/0 must have the field "x"');
    expect(issues.length).toBeLessThanOrEqual(100);
    expect(check({ items: { type: 'string' } }, items.slice(0, 5_000))).toHaveLength(100);
  });

  test('of a hundred thousand fields that are not allowed, the first is told', () => {
    const value = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field_${index}`, 1]));
    expect(atOnce(() => check({ additionalProperties: false }, value))).toHaveLength(1);
    expect(atOnce(() => check({ additionalProperties: { type: 'string' } }, value))).toHaveLength(1);
  });

  test('long lists in a schema count for each value that is compared with them', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `v${index}`);
    const items = Array.from({ length: 20_000 }, () => ({}));
    expect(atOnce(() => check({ items: { required: names } }, items), 20_000)).toHaveLength(1);
  }, 30_000);

  test('a list of ten megabytes is checked at once, unique items included', () => {
    const numbers = Array.from({ length: 1_000_000 }, (_, index) => index);
    const objects = Array.from({ length: 100_000 }, (_, id) => ({ id, name: 'x' }));
    expect(atOnce(() => check({ items: { type: 'integer' }, uniqueItems: true }, numbers), 3_000)).toEqual([]);
    expect(atOnce(() => check({ uniqueItems: true }, [...objects, { name: 'x', id: 0 }]), 3_000)).toEqual([
      'must not hold the same item twice',
    ]);
    expect(atOnce(() => check({ anyOf: [{ items: { type: 'string' } }, { items: { type: 'integer' } }] }, numbers), 3_000)).toEqual([]);
  });

  test('one of hundreds of alternatives is found, and more than that are a problem', () => {
    const alternatives = (count: number) => ({ anyOf: Array.from({ length: count }, (_, index) => ({ const: index })) });
    expect(atOnce(() => check(alternatives(500), 499), 5_000)).toEqual([]);
    expect(check(alternatives(500), 500)).toEqual([expect.stringMatching(/^must be one of 0, 1, 2, .* or one of 488 more$/)]);
    expect(check({ not: alternatives(501) }, 1)).toEqual([
      'schema /not/anyOf must not list more than 500 alternatives; plain values can be an enum',
    ]);
  }, 20_000);

  test('a schema of thousands of fields and values compiles in time', () => {
    const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`p${index}`, { type: 'string', minLength: 1 }]));
    const values = Array.from({ length: 20_000 }, (_, index) => `v${index}`);
    const schema = { properties: { ...fields, many: { enum: values } } };
    expect(atOnce(() => check(schema, { p7: '', many: 'v19999' }), 10_000)).toEqual(['/p7 must not be empty']);
  }, 20_000);
});

describe('the compiler', () => {
  test('compiles equal schemas once, by identity and by content', () => {
    const schema = { type: 'string' };
    const compiled = compiler.compile(schema);
    expect(compiler.compile(schema)).toBe(compiled);
    expect(compiler.compile({ type: 'string' })).toBe(compiled);
    expect(compiler.compile({ type: 'number' })).not.toBe(compiled);
  });

  test('forgets what has not been used for long', () => {
    const own = createSchemaCompiler();
    const first = own.compile({ const: 'first' });
    for (let index = 0; index < 250; index++) own.compile({ const: index });
    expect(own.compile({ const: 'first' })).not.toBe(first);
    expect(own.compile({ const: 249 })).toBe(own.compile({ const: 249 }));
  });

  test('two schemas may have the same $id', () => {
    expect(check({ $id: 'https://example.org/x', type: 'string' }, 1)).toEqual(['must be a string']);
    expect(check({ $id: 'https://example.org/x', type: 'number' }, '1')).toEqual(['must be a number']);
  });

  test('tells every problem of a schema at once', () => {
    expect(check({ type: 'text', properties: { a: { minimum: '1' } } }, 1)).toEqual([
      'schema /properties/a/minimum must be a number',
      'schema /type must be one of "array", "boolean", "integer", "null", "number", "object" or "string"',
    ]);
  });

  test('is loaded by a promise', async () => {
    const compiled = (await loadSchemaCompiler()).compile({ type: 'null' });
    expect(compiled.ok && compiled.check(null)).toEqual([]);
  });
});
