import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats as formatNames } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LlmError } from '../../core/errors.js';
import type { Json, JsonObject } from '../../core/json.js';
import { countMessageTokens, loadTokenCounter } from '../../core/llm/countTokens.js';
import { createLlmClient } from '../../core/llm/llmClient.js';
import { patternTexts } from '../../core/llm/providers/offline/patternText.js';
import type { LlmRequest, StreamPart } from '../../core/llm/types.js';
import { createNodeClock } from '../../core/node/nodePorts.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { runs } from '../support/effort.js';
import { testPorts } from '../support/testPorts.js';

const closed = {
  secrets: { get: () => expect.fail('the offline provider looked for a key') },
  environment: { get: () => expect.fail('the offline provider looked at the environment') },
  fetch: () => expect.fail('the offline provider used the network'),
};

function client(options?: JsonObject) {
  return createLlmClient({ provider: 'offline', ...(options && { options }) }, { ...testPorts(), ...closed, clock: createNodeClock() });
}

function ask(schema: JsonObject, user = 'task = "Write a parser in Python"\npurpose = "Teach a friend"'): LlmRequest {
  return {
    model: 'any',
    messages: [
      { role: 'system', content: 'You choose.' },
      { role: 'user', content: user },
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: false } },
  };
}

async function answer(schema: JsonObject, user?: string): Promise<Json> {
  return JSON.parse((await client().call(ask(schema, user))).text) as Json;
}

async function field(schema: JsonObject, user?: string): Promise<Json | undefined> {
  const value = (await answer({ type: 'object', properties: { it: schema }, required: ['it'] }, user)) as JsonObject;
  return value.it;
}

describe('a Chooser', () => {
  const labels = (...values: string[]) => ({ type: 'string', enum: values });

  test('prefers the labels that share words with the payload, in any case and with any separators', async () => {
    expect(await field(labels('AWS_Architect', 'Python_Programmer', 'Friend'))).toBe('Python_Programmer');
    expect(await field(labels('aws', 'parserWriter'))).toBe('parserWriter');
  });

  test('looks at the payload alone, not at the words around it', async () => {
    const user = 'task = "Write Python"\n\nChoose it from [aws, rust, friend].\n\nReply with a single JSON object.';
    expect(await field(labels('aws', 'rust', 'friend', 'python'), user)).toBe('python');
  });

  test('falls back to the default, then to the first label', async () => {
    expect(await field({ ...labels('low', 'medium', 'high'), default: 'medium' })).toBe('medium');
    expect(await field(labels('low', 'medium', 'high'))).toBe('low');
  });

  test('of several picks every label the payload speaks of, each once', async () => {
    const schema = { type: 'array', items: labels('aws', 'python', 'friend', 'rust'), uniqueItems: true };
    expect(await field(schema)).toEqual(['python', 'friend']);
    expect(await field({ ...schema, maxItems: 1 })).toEqual(['python']);
    expect(await field({ ...schema, minItems: 3 })).toEqual(['python', 'friend', 'aws']);
  });
});

describe('a Writer and an Extractor', () => {
  test('write with words of the payload, within the limits', async () => {
    const text = (await field({ type: 'string', minLength: 10, maxLength: 20 })) as string;
    expect(text.length).toBeGreaterThanOrEqual(10);
    expect(text.length).toBeLessThanOrEqual(20);
    for (const word of text.split(' ')) expect('Write a parser in Python Teach a friend').toContain(word);
  });

  test('take over a value that the payload has under the same name', async () => {
    const schema = {
      type: 'object',
      properties: { dueDate: { type: 'string', format: 'date' }, items: { type: 'integer' } },
      required: ['dueDate', 'items'],
    };
    expect(await answer(schema, 'due_date = "2026-05-04"\nitems = 12')).toEqual({ dueDate: '2026-05-04', items: 12 });
    expect(await answer(schema, 'due_date = "tomorrow"\nitems = "many"')).toMatchObject({
      dueDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });

  test('find the word of the payload that has the pattern', async () => {
    expect(await field({ type: 'string', pattern: '^[A-Z]{2}-\\d+$' }, 'note = "order AB-123 is late"')).toBe('AB-123');
    expect(await field({ type: 'string', pattern: '^[A-Z]{2}-\\d+$' })).toMatch(/^[A-Z]{2}-\d+$/);
  });
});

describe('any schema', () => {
  test.each<[string, JsonObject, Json]>([
    ['a constant', { const: { a: [1, null] } }, { a: [1, null] }],
    ['a number between its limits', { type: 'number', exclusiveMinimum: 0.25, exclusiveMaximum: 0.5, multipleOf: 0.125 }, 0.375],
    ['an integer below zero', { type: 'integer', maximum: -5 }, -5],
    ['null where it is all there is', { type: ['null'] }, null],
    ['the first way that works', { anyOf: [{ type: 'integer', minimum: 3, maximum: 2 }, { const: 'x' }] }, 'x'],
    [
      'exactly one way',
      {
        oneOf: [
          { type: 'integer', maximum: 5 },
          { type: 'integer', minimum: 0 },
        ],
      },
      6,
    ],
    ['what is left by not', { type: 'boolean', not: { const: false } }, true],
  ])('gives %s', async (_, schema, expected) => {
    expect(await field(schema)).toEqual(expected);
  });

  test('that refers to itself ends', async () => {
    const node = {
      type: 'object',
      properties: { value: { type: 'integer' }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
      required: ['value', 'next'],
      additionalProperties: false,
    };
    const schema = { type: 'object', properties: { list: { $ref: '#/$defs/node' } }, required: ['list'], $defs: { node } };
    expect(problems(schema, await answer(schema))).toEqual([]);
  });

  test('keeps hostile field names as ordinary ones', async () => {
    const properties = JSON.parse('{"__proto__": {"const": 1}, "constructor": {"const": 2}, "toString": {"const": 3}}') as JsonObject;
    const text = (await client().call(ask({ type: 'object', properties, required: ['__proto__', 'constructor', 'toString'] }))).text;
    expect(text).toBe('{"__proto__":1,"constructor":2,"toString":3}');
  });

  test('may name its parts by anchor, pointer or escaped pointer', async () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#three' }, b: { $ref: '#/$defs/x~1y%20z' }, c: { $ref: '#old' } },
      required: ['a', 'b', 'c'],
      $defs: { three: { $anchor: 'three', const: 3 }, 'x/y z': { const: 4 }, old: { $id: '#old', const: 5 } },
    };
    expect(await answer(schema)).toEqual({ a: 3, b: 4, c: 5 });
  });

  test('may refer to its parts dynamically, and to itself', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { name: { $dynamicRef: '#text' }, next: { anyOf: [{ type: 'null' }, { $dynamicRef: '#node' }] } },
      required: ['name', 'next'],
      additionalProperties: false,
      $defs: { text: { $dynamicAnchor: 'text', type: 'string', minLength: 3 } },
    };
    const compiled = (await loadSchemaCompiler()).compile(schema);
    expect(compiled.ok && compiled.check(await answer(schema))).toEqual([]);
    expect(
      await answer({ type: 'object', properties: { it: { $dynamicRef: '#/$defs/x' } }, required: ['it'], $defs: { x: { const: 7 } } }),
    ).toEqual({ it: 7 });
  });

  test('with a format gets a text that ajv takes for one', async () => {
    const formats = Object.keys(formatNames).filter((name) => !['int32', 'int64', 'float', 'double', 'password', 'binary'].includes(name));
    expect(formats.length).toBeGreaterThan(15);
    for (const format of formats) {
      const properties = { list: { type: 'array', items: { type: 'string', format }, minItems: 40, uniqueItems: true } };
      const schema = { type: 'object', properties, required: ['list'] };
      expect(problems(schema, await answer(schema)), format).toEqual([]);
    }
  });

  test.each<[string, JsonObject]>([
    ['contradicts itself', { type: 'integer', minimum: 2, maximum: 1 }],
    ['refers to nothing', { $ref: '#/$defs/none' }],
    ['refers to nothing dynamically', { $dynamicRef: '#none' }],
    ['asks for itself without end', { $ref: '#' }],
    ['asks for a text of 1e15 characters', { type: 'string', minLength: 1e15 }],
    ['asks for a text of 1e15 characters of a pattern', { type: 'string', minLength: 1e15, pattern: '^a+$' }],
    ['asks for 1e15 items', { type: 'array', items: { type: 'string' }, minItems: 1e15 }],
    ['asks for 1e15 fields', { type: 'object', minProperties: 1e15 }],
    ['has a pattern that nothing here can meet', { type: 'string', pattern: '^(?=a)b' }],
  ])('that %s is a clear error', async (_, schema) => {
    const error = (await field(schema).catch((caught: unknown) => caught)) as LlmError;
    expect(error).toBeInstanceOf(LlmError);
    expect(error).toMatchObject({ code: 'llm', reason: 'bad-request', recoverable: false });
    expect(error.message).toContain('no value that satisfies the output schema');
  });

  test.each(['draft-07', '2020-12'] as const)('of %s that can be met is met, says ajv', async (dialect) => {
    await fc.assert(
      fc.asyncProperty(satisfiable(dialect), async (schema) => {
        // The plain ajv that judges here takes these for the methods they hide, and throws.
        fc.pre(!/"(toString|valueOf)"/.test(JSON.stringify(schema)));
        expect(problems(schema, await answer(schema)), JSON.stringify(schema)).toEqual([]);
      }),
      { numRuns: runs(25, 100) },
    );
  });
});

test.each([
  '^\\d{3}-[a-f]+$',
  'a|b|cc',
  '^(?:x(?<n>y)?){2,4}z*$',
  '[^a-z]',
  '^\\p{Lu}\\p{L}*$',
  '\\bfoo\\b',
  '^.{5}$',
  '^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$',
])('texts made for %s match it', (pattern) => {
  const texts = [...patternTexts(pattern, 12, 0), ...patternTexts(pattern, 0, 3)];
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(text).toMatch(new RegExp(pattern, 'u'));
});

describe('the answer', () => {
  const schema = { type: 'object', properties: { note: { type: 'string', minLength: 60 } }, required: ['note'] };

  test('is the same every time, simulated, and counted', async () => {
    const [one, two] = await Promise.all([client().call(ask(schema)), client().call(ask(schema))]);
    expect(one.text).toBe(two.text);
    expect(one).toMatchObject({ simulated: true, finish_reason: 'stop', model: 'any', attempts: 1, left_out: [], id: undefined });
    const counter = await loadTokenCounter(['any']);
    const { tokens } = countMessageTokens(counter, 'any', ask(schema).messages);
    // As a prompt is counted before it is sent.
    expect(one.usage).toMatchObject({ prompt_tokens: tokens, completion_tokens: counter.count('any', one.text).tokens, cached_tokens: 0 });
    expect(one.usage!.total_tokens).toBe(one.usage!.prompt_tokens + one.usage!.completion_tokens);
  });

  test('streams in several pieces that add up to it', async () => {
    const parts: StreamPart[] = [];
    for await (const part of client().stream(ask(schema))) parts.push(part);
    const last = parts.pop();
    const texts = parts.map((part) => (part.type === 'text' ? part.text : expect.fail(part.type)));
    expect(texts.length).toBeGreaterThan(3);
    expect(last).toMatchObject({ type: 'completion', completion: { text: texts.join(''), simulated: true } });
  });

  test('comes slowly when asked to, and stops when aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const seen: string[] = [];
    const read = async () => {
      for await (const part of client({ delay_ms_per_chunk: 5 }).stream({ ...ask(schema), signal: controller.signal })) {
        if (part.type === 'text') seen.push(part.text);
        if (seen.length === 2) controller.abort(reason);
      }
    };
    await expect(read()).rejects.toBe(reason);
    expect(seen).toHaveLength(2);
  });

  test('follows a schema that stands in the prompt, and is text without any', async () => {
    const user = { role: 'user', content: 'task = "x"' } as const;
    const system = {
      role: 'system',
      content: 'Return only JSON.\nOutput schema: {"type":"object","required":["ok"],"properties":{"ok":{"const":true}}}',
    } as const;
    expect((await client().call({ model: 'm', messages: [system, user] })).text).toBe('{"ok":true}');
    expect((await client().call({ model: 'm', messages: [user] })).text).toContain('simulated');
  });
});

function problems(schema: JsonObject, value: Json): ErrorObject[] {
  const ajv = new (schema.$schema === undefined ? Ajv : Ajv2020)({ strict: false, allErrors: true, ownProperties: true, logger: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  validate(value);
  return validate.errors ?? [];
}

type Dialect = 'draft-07' | '2020-12';

/** Schemas that some value meets, because each is built around one. */
function satisfiable(dialect: Dialect): fc.Arbitrary<JsonObject> {
  const schemas = fc.letrec<{ any: JsonObject; object: JsonObject }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { arbitrary: leaf(), weight: 5 },
      { arbitrary: tie('object'), weight: 2 },
      { arbitrary: arrayOf(tie('any'), dialect), weight: 2 },
      { arbitrary: combined(tie('any')), weight: 2 },
    ),
    object: objectOf(tie('any')),
  }));
  return schemas.object.map((schema) =>
    dialect === '2020-12' ? { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema } : schema,
  );
}

function leaf(): fc.Arbitrary<JsonObject> {
  const limits = fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 1, max: 200 }));
  const lengths = fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 30 }));
  return fc.oneof(
    fc.constantFrom<JsonObject>({ type: 'boolean' }, { type: 'null' }, { type: ['string', 'null'] }, {}, { type: 'string' }),
    fc
      .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { minLength: 1, maxLength: 4 })
      .map((values) => ({ enum: values })),
    fc.jsonValue({ maxDepth: 2 }).map((value) => ({ const: JSON.parse(JSON.stringify(value)) as Json })),
    limits.map(([low, width]) => ({ type: 'integer', minimum: low, maximum: low + width })),
    limits.map(([low, width]) => ({ type: 'number', exclusiveMinimum: low / 7, exclusiveMaximum: (low + width) / 7 })),
    limits.map(([low, step]) => ({ type: 'integer', minimum: low, multipleOf: step })),
    lengths.map(([low, more]) => ({ type: 'string', minLength: low, maxLength: low + more })),
    fc
      .constantFrom(
        'date',
        'time',
        'date-time',
        'email',
        'uri',
        'uuid',
        'ipv4',
        'ipv6',
        'hostname',
        'duration',
        'json-pointer',
        'no-such-format',
      )
      .map((format) => ({ type: 'string', format })),
    fc
      .constantFrom('^[a-z]+$', '^\\d{4}-\\d{2}$', '^(yes|no)$', '[A-Z]{3}', '^#[0-9a-fA-F]{6}$', '^\\S+ \\S+$')
      .map((pattern) => ({ type: 'string', pattern })),
    fc.nat({ max: 40 }).map((length) => ({ type: 'string', pattern: '^[a-c]*$', minLength: length })),
    fc.integer({ min: -50, max: 50 }).map((value) => ({ type: 'integer', default: value, minimum: -20 })),
  );
}

function objectOf(any: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  // ajv takes no account of a property called __proto__, so that one has a test of its own.
  const name = fc.oneof(
    fc.constantFrom('title', 'constructor', 'a b', 'x-1', 'purpose'),
    fc.string({ minLength: 1, maxLength: 6 }).filter((each) => each !== '__proto__'),
  );
  return fc
    .record({
      properties: fc.uniqueArray(fc.tuple(name, any, fc.boolean()), { maxLength: 5, selector: ([key]) => key }),
      extra: fc.constantFrom<JsonObject>(
        {},
        { additionalProperties: false },
        { additionalProperties: { type: 'integer' } },
        { minProperties: 1, additionalProperties: true },
      ),
      ties: fc.boolean(),
    })
    .map(({ properties, extra, ties }) => {
      const required = properties.filter(([, , isRequired]) => isRequired).map(([key]) => key);
      const first = properties[0]?.[0];
      return {
        type: 'object',
        properties: Object.fromEntries(properties.map(([key, schema]) => [key, schema])),
        ...(required.length > 0 && { required }),
        ...(ties && first !== undefined && { dependentRequired: { [first]: properties.map(([key]) => key) } }),
        ...extra,
      };
    });
}

function arrayOf(any: fc.Arbitrary<JsonObject>, dialect: Dialect): fc.Arbitrary<JsonObject> {
  const letters = { type: 'string', enum: ['a', 'b', 'c', 'd'] };
  return fc.oneof(
    fc.tuple(any, fc.nat({ max: 3 })).map(([items, least]) => ({ type: 'array', items, minItems: least })),
    fc.nat({ max: 4 }).map((least) => ({ type: 'array', items: letters, minItems: least, uniqueItems: true })),
    fc
      .nat({ max: 6 })
      .map((least) => ({ type: 'array', items: { type: 'integer' }, minItems: least, maxItems: least + 1, uniqueItems: true })),
    fc
      .array(any, { minLength: 1, maxLength: 3 })
      .map(
        (tuple): JsonObject =>
          dialect === '2020-12'
            ? { type: 'array', prefixItems: tuple, items: false }
            : { type: 'array', items: tuple, additionalItems: false },
      ),
    fc.constant({ type: 'array', contains: { const: 'needle' }, minItems: 2 }),
  );
}

function combined(any: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return fc.oneof(
    any.map((schema) => ({ anyOf: [false, schema] })),
    any.map((schema) => ({ oneOf: [{ type: 'object', required: ['never'], properties: { never: false } }, schema] })),
    any.map((schema) => ({ allOf: [schema, true, {}] })),
    any.map((schema) => ({ allOf: [{ description: 'first' }, { anyOf: [schema] }] })),
    any.map(
      (schema) => JSON.parse(`{"if": {"const": "never chosen, or so"}, "then": false, "else": ${JSON.stringify(schema)}}`) as JsonObject,
    ),
    any.map((schema) => ({ ...schema, not: { const: 'a value nobody makes' } })),
  );
}
