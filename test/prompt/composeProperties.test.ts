import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputInvalidError } from '../../core/errors.js';
import { isObject, type Json, type JsonObject, segmentsOf, valueAt } from '../../core/json.js';
import { createAgentPrompt } from '../../core/prompt/agentPrompt.js';
import type { ComposedPrompt } from '../../core/prompt/types.js';
import type { EffectiveAgent, Origin } from '../../core/snapshot/effective.js';
import { agentConfig } from './agentConfig.js';
import { noSchemas } from './noSchemas.js';

const tone = { type: 'string', enum: ['direct', 'friendly'], description: 'how it sounds' };
const config = agentConfig({
  mode: 'Chooser',
  system_text: 'System.',
  purpose_text: 'Purpose.',
  output_schema: {
    type: 'object',
    properties: { tone, note: { type: 'string' } },
    required: ['tone', 'note'],
    additionalProperties: false,
  },
  enums: { tone: ['direct', 'friendly'] },
});
const tail = [
  'Choose tone from [direct, friendly].',
  'Also fill: note.',
  '- tone: how it sounds',
  '',
  'Reply with a single JSON object only, no extra text, matching the schema.',
];
const promptOf = (fields: EffectiveAgent, origins?: ReadonlyMap<string, Origin>) =>
  createAgentPrompt({ config: fields, schemas: noSchemas, ...(origins && { origins }) });
const prompt = promptOf(config);

/** Any UTF-16 at all, with what is dangerous in a prompt more often than chance would have it. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\r',
        '\u2028',
        '\u2029',
        '\u0085',
        '\v',
        '\f',
        '"',
        '\\',
        ' = ',
        '\ud800',
        '\udc00',
        '{{input.a}}',
        '\n\nReply with',
      ),
      fc.constantFrom(...tail, 'a', '1', '__proto__', 'constructor', '', ' '),
      fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const hostileValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostileText,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(hostileText, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries) as Json),
  ),
})).value;
const hostilePayload = fc
  .array(fc.tuple(hostileText, hostileValue), { maxLength: 5 })
  .map((entries) => Object.fromEntries(entries) as JsonObject);

/** Every character some reader breaks a line at, information separators included. */
const lineBreaks = new RegExp(`\r\n|[${String.fromCharCode(10, 11, 12, 13, 28, 29, 30, 0x85, 0x2028, 0x2029)}]`);

/** Reads payload lines back: a bare key or a JSON string, ` = `, JSON. */
function readEntry(line: string): [string, Json] {
  const [, key = '', value = ''] = /^([A-Za-z_][A-Za-z0-9_.-]*|"(?:[^"\\]|\\.)*") = (.*)$/s.exec(line) ?? [];
  return [key.startsWith('"') ? (JSON.parse(key) as string) : key, JSON.parse(value) as Json];
}

function expectTiled({ messages, source_map }: ComposedPrompt) {
  messages.forEach(({ content }, message) => {
    const spans = source_map.filter((span) => span.message === message);
    let end = 0;
    for (const span of spans) {
      expect(span.start).toBe(end);
      expect(span.end).toBeGreaterThan(span.start);
      end = span.end;
    }
    expect(end).toBe(content.length);
  });
  expect(source_map.map(({ message }) => message)).toEqual([...source_map.map(({ message }) => message)].sort());
}

describe('for every payload', () => {
  test('no key or value adds, hides or breaks a line', () => {
    fc.assert(
      fc.property(hostilePayload, (payload) => {
        const { messages } = prompt.compose(payload);
        const lines = messages[1]?.content.split(lineBreaks) ?? [];
        const count = Object.keys(payload).length;
        const entries = lines.slice(0, count).map(readEntry);
        expect(entries).toEqual(Object.keys(payload).map((key) => [key, payload[key]]));
        expect(lines.slice(count)).toEqual(count === 0 ? tail : ['', ...tail]);
        expect(messages[0]?.content).toBe(
          'System.\n\nPurpose.\n\nAgent: Tester, version v1\n\nReturn only JSON that matches the output schema.',
        );
      }),
      { numRuns: 500 },
    );
  });

  test('the same input gives the same bytes', () => {
    fc.assert(
      fc.property(hostilePayload, (payload) => {
        const before = JSON.stringify(payload);
        const first = JSON.stringify(prompt.compose(payload));
        expect(JSON.stringify(promptOf(structuredClone(config)).compose(structuredClone(payload)))).toBe(first);
        expect(JSON.stringify(prompt.compose(payload))).toBe(first);
        expect(JSON.stringify(payload)).toBe(before);
      }),
    );
  });

  test('spans tile the messages, and payload spans hold the key and the value they point to', () => {
    fc.assert(
      fc.property(hostilePayload, (payload) => {
        const composed = prompt.compose(payload);
        expectTiled(composed);
        const inputs = composed.source_map.filter(({ layer }) => layer === 'input');
        const texts = inputs.map(({ message, start, end }) => composed.messages[message]?.content.slice(start, end) ?? '');
        expect(inputs.every(({ file, message }) => file === null && message === 1)).toBe(true);
        expect(inputs.map(({ pointer }) => segmentsOf(pointer))).toEqual(Object.keys(payload).flatMap((key) => [[key], [key]]));
        texts.forEach((text, index) => {
          const pointer = inputs[index]?.pointer ?? '';
          const isKey = index % 2 === 0;
          const read = isKey && !text.startsWith('"') ? text : (JSON.parse(text) as Json);
          expect(read).toEqual(isKey ? segmentsOf(pointer)[0] : valueAt(payload, pointer));
        });
      }),
    );
  });

  test('a template inserts the value and nothing else', () => {
    const templated = promptOf(agentConfig({ template: 'A {{input.value}} B', mode: 'Writer', output_schema: { type: 'object' } }));
    fc.assert(
      fc.property(hostileValue, (value) => {
        const composed = templated.compose({ value });
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        expect(composed.messages[0]?.content.startsWith(`A ${text} B\n\nAgent: `)).toBe(true);
        expectTiled(composed);
        const [inserted] = composed.source_map.filter(({ layer }) => layer === 'input');
        if (text !== '')
          expect(inserted).toEqual({ message: 0, start: 2, end: 2 + text.length, file: null, pointer: '/value', layer: 'input' });
      }),
    );
  });
});

test('no field name, enum value or description of a schema breaks a line', () => {
  const field = fc.record({
    type: fc.constant('string'),
    enum: fc.option(fc.array(fc.oneof(hostileText, fc.constant(null), fc.integer()), { minLength: 1, maxLength: 3 }), { nil: undefined }),
    description: fc.option(hostileText, { nil: undefined }),
  });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(hostileText, field), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('Chooser', 'Writer', 'Extractor'),
      (entries, mode) => {
        const properties = JSON.parse(JSON.stringify(Object.fromEntries(entries))) as { [name: string]: JsonObject };
        const { messages, source_map } = promptOf(agentConfig({ mode, output_schema: { type: 'object', properties } })).compose({});
        expectTiled({ messages, source_map, response_format: null, tools: [] });
        const lines = messages[1]?.content.split(lineBreaks) ?? [];
        const fields = Object.values(properties);
        const chosen = fields.filter(({ enum: values }) => Array.isArray(values) && values.some((value) => value !== null)).length;
        const described = fields.filter(({ description }) => typeof description === 'string' && /[^\p{Cc}\s]/u.test(description)).length;
        const told = { Chooser: chosen + (chosen < fields.length ? 1 : 0), Writer: 2, Extractor: 1 }[mode];
        expect(lines).toHaveLength(told + described + 2);
        expect(lines.slice(told, told + described).every((line) => line.startsWith('- '))).toBe(true);
        expect(lines.slice(-2)).toEqual(['', tail.at(-1)]);
      },
    ),
    { numRuns: 500 },
  );
});

test('spans of the config name the file and the place their text came from', () => {
  const origins = new Map<string, Origin>([
    ['/agent_name', { file: 'config/agents/Tester/v1.json', pointer: '/agent_name', layer: 'agent' }],
    ['/system_text', { file: 'config/personas/p.json', pointer: '/system_text', layer: 'persona' }],
    ['/purpose_text', { file: 'config/system.json', pointer: '/agents/Tester/purpose_text', layer: 'system' }],
  ]);
  const collect = (value: Json, pointer: string) => {
    if (isObject(value)) for (const key of Object.keys(value)) collect(value[key] ?? null, `${pointer}/${key}`);
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item, `${pointer}/${index}`);
    else origins.set(pointer, { file: 'config/system.json', pointer: `/agent_defaults${pointer}`, layer: 'system' });
  };
  collect(config.output_schema ?? {}, '/output_schema');
  const { messages, source_map } = promptOf(config, origins).compose({ a: 1 });
  const shown = source_map.map(({ message, start, end, file, pointer, layer }) => [
    messages[message]?.content.slice(start, end),
    file,
    pointer,
    layer,
  ]);
  const system = 'config/system.json';
  const property = '/agent_defaults/output_schema/properties';
  expect(shown).toEqual([
    ['System.', 'config/personas/p.json', '/system_text', 'persona'],
    ['\n\n', null, '', 'fixed'],
    ['Purpose.', system, '/agents/Tester/purpose_text', 'system'],
    ['\n\nAgent: ', null, '', 'fixed'],
    ['Tester', 'config/agents/Tester/v1.json', '/agent_name', 'agent'],
    [', version ', null, '', 'fixed'],
    ['v1', null, '/version', 'default'],
    ['\n\nReturn only JSON that matches the output schema.', null, '', 'fixed'],
    ['a', null, '/a', 'input'],
    [' = ', null, '', 'fixed'],
    ['1', null, '/a', 'input'],
    ['\n\nChoose ', null, '', 'fixed'],
    ['tone', system, `${property}/tone`, 'system'],
    [' from [', null, '', 'fixed'],
    ['direct', system, `${property}/tone/enum/0`, 'system'],
    [', ', null, '', 'fixed'],
    ['friendly', system, `${property}/tone/enum/1`, 'system'],
    ['].\nAlso fill: ', null, '', 'fixed'],
    ['note', system, `${property}/note`, 'system'],
    ['.\n- ', null, '', 'fixed'],
    ['tone', system, `${property}/tone`, 'system'],
    [': ', null, '', 'fixed'],
    ['how it sounds', system, `${property}/tone/description`, 'system'],
    ['\n\nReply with a single JSON object only, no extra text, matching the schema.', null, '', 'fixed'],
  ]);
});

describe('a payload that JSON cannot hold is refused by name, never sent with a loss', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = { cyclic };
  class Task {
    text = 'x';
  }
  const deep = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) as unknown;
  test.each<[string, unknown, string, string]>([
    ['undefined', { a: 1, b: undefined }, '/b', '"b" is undefined.'],
    ['a function', { 'a b': () => 1 }, '/a b', '"a b" is a function, which JSON cannot hold.'],
    ['NaN', { a: { b: [1, Number.NaN] } }, '/a/b/1', '/b/1 in "a" is NaN, which is not a JSON number.'],
    ['infinity', { a: Number.POSITIVE_INFINITY }, '/a', '"a" is Infinity, which is not a JSON number.'],
    ['a bigint', { a: 1n }, '/a', '"a" is a bigint, which JSON cannot hold.'],
    ['a date', { a: new Date(0) }, '/a', '"a" is a Date, not a plain object.'],
    ['a map', { a: [new Map()] }, '/a/0', '/0 in "a" is a Map, not a plain object.'],
    ['a class instance', { a: new Task() }, '/a', '"a" is a Task, not a plain object.'],
    ['a toJSON', { a: { toJSON: () => 'lie' } }, '/a/toJSON', '/toJSON in "a" is a function, which JSON cannot hold.'],
    ['a hole', { a: Object.assign([0], { 2: 1 }) }, '/a/1', '/1 in "a" is undefined.'],
    ['a symbol key', { a: { [Symbol('s')]: 1 } }, '/a', '"a" has a symbol as a key.'],
    ['a cycle', { a: cyclic }, '/a/self/cyclic', '/self/cyclic in "a" contains itself.'],
    ['ten thousand levels', { a: deep }, `/a${'/0'.repeat(200)}`, `${'/0'.repeat(200)} in "a" is nested more than 200 levels deep.`],
    ['an array', [1], '', 'The input must be an object, not an array.'],
    ['null', null, '', 'The input must be an object, not null.'],
    ['text', 'x', '', 'The input must be an object, not string.'],
    ['a map as a whole', new Map([['a', 1]]), '', 'The input is a Map, not a plain object.'],
  ])('%s', (_name, payload, path, message) => {
    expect(prompt.checkPayload(payload)).toEqual([expect.objectContaining({ path, message })]);
    expect(() => prompt.compose(payload)).toThrow(InputInvalidError);
    expect(() => prompt.compose(payload)).toThrow(message);
  });

  test('every faulty entry is named', () => {
    expect(prompt.checkPayload({ a: undefined, ok: 1, b: 2n }).map(({ path }) => path)).toEqual(['/a', '/b']);
  });
  test('objects without prototype and from another realm are plain', () => {
    expect(prompt.checkPayload({ a: Object.assign(Object.create(null), { b: 1 }) })).toEqual([]);
  });
});

test('five megabytes of text go through unchanged', () => {
  const text = 'Zeile "x"\n\u2028'.repeat(450_000);
  const line = prompt.compose({ text }).messages[1]?.content.split('\n')[0] ?? '';
  expect(readEntry(line)).toEqual(['text', text]);
});

test('what a plain agent sends depends on neither its name, nor its version, nor the place of its file', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
  const schema = fc.constantFrom({}, { output_schema: { type: 'object', properties: { tone } } });
  const texts = fc.record({ system_text: hostileText, user_text: hostileText, purpose_text: hostileText }, { requiredKeys: [] });
  const provider = fc.constantFrom('openai', 'vscode');
  fc.assert(
    fc.property(fc.tuple(name, name), fc.tuple(name, name), name, schema, texts, provider, hostileText, (...all) => {
      const [[first, second], [v1, v2], file, output, written, by, text] = all;
      const sent = (agent_name: string, version: string, path: string) => {
        const origins = new Map<string, Origin>([['/system_text', { file: path, pointer: '/system_text', layer: 'agent' }]]);
        const fields = agentConfig({ ...output, ...written, agent_name, version, provider: by });
        const { messages, response_format, tools } = promptOf(fields, origins).compose({ a: text, b: 1 });
        return JSON.stringify([messages, response_format, tools]);
      };
      expect(sent(second, v2, file)).toBe(sent(first, v1, 'config/agents/A2/v1.json'));
    }),
  );
});
