import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgentPromptValidationError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { createAgentPrompt } from '../../core/prompt/agentPrompt.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import type { EffectiveAgent } from '../../core/snapshot/effective.js';
import { agentConfig } from './agentConfig.js';

const schemas = await loadSchemaCompiler();
const promptOf = (fields: Partial<EffectiveAgent>) => createAgentPrompt({ config: agentConfig(fields), schemas });

const tones = ['direct', 'friendly', 'formal'];
/** `tone` must be given, `depth` has a default, other keys are allowed. */
const prompt = promptOf({
  output_schema: {
    type: 'object',
    properties: { tone: { type: 'string', enum: tones }, depth: { type: 'string', enum: ['short', 'long'] }, note: { type: 'string' } },
    required: ['tone', 'depth'],
  },
  enums: { tone: tones, depth: ['short', 'long'] },
  defaults: { depth: 'short' },
});
/** Everything is an answer. */
const open = promptOf({ output_schema: { type: 'object' } });

function failure(raw: unknown, of = prompt): AgentPromptValidationError {
  try {
    of.parseAndValidate(raw);
  } catch (error) {
    if (error instanceof AgentPromptValidationError) return error;
    throw error;
  }
  throw new Error(`${String(raw)} was accepted`);
}
const keywords = (raw: unknown, of = prompt) => failure(raw, of).issues.map(({ path, keyword }) => `${path} ${keyword}`);
const kinds = (raw: unknown, of = prompt) => of.parseAndValidate(raw).repairs.map(({ kind }) => kind);

describe('an answer that fits', () => {
  test('passes as it is', () => {
    expect(prompt.parseAndValidate('{"tone":"direct","depth":"long"}')).toEqual({ output: { tone: 'direct', depth: 'long' }, repairs: [] });
  });
  test('gets its defaults before the required check, and says so', () => {
    expect(prompt.parseAndValidate('{"tone":"direct"}')).toEqual({
      output: { tone: 'direct', depth: 'short' },
      repairs: [{ kind: 'default', path: '/depth', message: 'depth was missing and took its default "short".' }],
    });
  });
  test('keeps keys the schema allows, __proto__ and constructor among them', () => {
    const text = '{"tone":"direct","depth":"long","__proto__":{"x":1},"constructor":null,"extra":[{}]}';
    expect(JSON.stringify(prompt.parseAndValidate(text).output)).toBe(text);
    expect(JSON.stringify(prompt.parseAndValidate(text.replace(/}$/, ',}')).output)).toBe(text);
  });
  test('null is a value: no default replaces it', () => {
    expect(keywords('{"tone":"direct","depth":null}')).toContain('/depth enum');
  });
  test('a default is the caller’s own copy', () => {
    const listing = promptOf({ output_schema: { type: 'object' }, defaults: { list: [1] } });
    const first = listing.parseAndValidate('{}').output as { list: number[] };
    first.list.push(2);
    expect(listing.parseAndValidate('{}').output).toEqual({ list: [1] });
  });
  test('a default named __proto__ is an ordinary field', () => {
    const odd = promptOf({ output_schema: { type: 'object' }, defaults: JSON.parse('{"__proto__": "x"}') as JsonObject });
    expect(JSON.stringify(odd.parseAndValidate('{}').output)).toBe('{"__proto__":"x"}');
  });
});

describe('where the object is found', () => {
  const json = '{\n  "tone": "direct",\n  "depth": "long"\n}';
  test.each<[string, string, string[]]>([
    ['bare', json, []],
    ['with space and a byte order mark', `\ufeff \n${json}\n\n`, []],
    ['fenced', `\`\`\`json\n${json}\n\`\`\``, ['fence']],
    ['fenced on one line with Windows line ends', `\`\`\`\r\n${json}\r\n\`\`\`\r\n`, ['fence']],
    ['fenced with tildes', `~~~\n${json}\n~~~`, ['fence']],
    ['in a fence that never closes', `\`\`\`json\n${json}`, ['fence']],
    ['in prose', `Sure, here you are: ${json} Anything else?`, ['prose', 'prose']],
    ['fenced in prose', `Sure:\n\`\`\`json\n${json}\n\`\`\`\nBye.`, ['fence', 'prose', 'prose']],
    ['after braces in prose', `The set {a, b} and {{x}} and "{" give ${json}`, ['prose']],
    ['after brackets in prose', `As [1] and [the docs](x) say: ${json}`, ['prose']],
    ['after thoughts', `<think>Maybe {"tone":"formal","depth":"short"}?</think>\n${json}`, ['prose']],
  ])('%s', (_name, text, expected) => {
    const { output, repairs } = prompt.parseAndValidate(text);
    expect(output).toEqual({ tone: 'direct', depth: 'long' });
    expect(repairs.map(({ kind }) => kind)).toEqual(expected);
  });
});

describe('of several objects', () => {
  test('the one that fits is taken', () => {
    const { output, repairs } = prompt.parseAndValidate('{"thought": 1} {"tone": "loud"} {"tone":"formal","depth":"long"} {"tone":2}');
    expect(output).toEqual({ tone: 'formal', depth: 'long' });
    expect(repairs[0]?.message).toBe('Took the object at character 33, one of 4 in the answer.');
  });
  test('of two that fit, the one that says more itself', () => {
    expect(prompt.parseAndValidate('{"tone":"direct"} {"tone":"formal","depth":"long"}').output).toEqual({ tone: 'formal', depth: 'long' });
  });
  test('then the first, and the repairs say that there was another', () => {
    const { output, repairs } = prompt.parseAndValidate('{"tone":"direct","depth":"long"}{"tone":"formal","depth":"long"}');
    expect(output).toEqual({ tone: 'direct', depth: 'long' });
    expect(repairs.map(({ message }) => message)).toEqual([
      'Took the object at character 1, one of 2 in the answer.',
      'Left out 32 characters after the object.',
    ]);
  });
  test('an empty object that only defaults would fill gives way', () => {
    const easy = promptOf({ output_schema: { type: 'object', properties: { tone: {} } }, defaults: { tone: 'direct' } });
    expect(easy.parseAndValidate('I first thought of {} but: {"tone":"formal"}').output).toEqual({ tone: 'formal' });
  });
  test('when none fits, the error is about the first complete one', () => {
    expect(keywords('{"tone":"x" {"tone":"loud","depth":"long"} {"tone":1}')).toEqual(['/tone syntax']);
    expect(keywords('{"tone": N/A}\n{"tone":"loud","depth":"long"}\n{"tone":1}')).toEqual(['/tone enum']);
  });
  test('a part of a broken object is never taken', () => {
    expect(keywords('{"draft": {"tone":"direct","depth":"long"}, "final": {"tone":"form')).toEqual(['/final/tone truncated']);
    expect(keywords('{"a": oops, "b": {"tone":"direct","depth":"long"}}')).toEqual(['/a syntax']);
  });
});

describe('slips of form are repaired and reported', () => {
  test.each<[string, string, JsonObject, string[]]>([
    ['stray commas', '{,"a":1,,"b":[1,],}', { a: 1, b: [1] }, ['Left out 4 stray commas (at character 2).']],
    ['a missing comma', '{"a":1\n"b":2}', { a: 1, b: 2 }, ['Put in a missing comma (at character 8).']],
    ['missing brackets at the end', '{"a":{"b":[1,2]', { a: { b: [1, 2] } }, ['Put in 2 missing closing brackets (at character 16).']],
    [
      'a missing bracket inside',
      '{"a":{"b":[1,2},"c":3}',
      { a: { b: [1, 2] }, c: 3 },
      ['Put in a missing closing bracket (at character 15).'],
    ],
    [
      'missing brackets in a fence',
      '```\n{"a":{"b":"x"\n```',
      { a: { b: 'x' } },
      ['Took the object out of a code fence.', 'Put in 2 missing closing brackets (at character 19).'],
    ],
    ['single quotes', `{'a':'say "hi"','b':'it\\'s'}`, { a: 'say "hi"', b: "it's" }, ['Read 5 single quotes as JSON (at character 2).']],
    ['bare keys', '{a_1: 1, $b: {c: 2}}', { a_1: 1, $b: { c: 2 } }, ['Put 3 keys in quotes (at character 2).']],
    ['comments', '{"a": 1, // one\n/* two */ "b": "// kept"}', { a: 1, b: '// kept' }, ['Left out 2 comments (at character 10).']],
    [
      'Python literals',
      '{"a": True, "b": [False, None]}',
      { a: true, b: [false, null] },
      ['Read 3 Python literals as JSON (at character 7).'],
    ],
    [
      'raw line breaks in text',
      '{"a": "one\ntwo\tthree"}',
      { a: 'one\ntwo\tthree' },
      ['Kept 2 raw control characters inside strings (at character 11).'],
    ],
    ['space that JSON does not know', '{"a":\u00a01}', { a: 1 }, ['Left out space that JSON does not know (at character 6).']],
  ])('%s', (_name, text, output, messages) => {
    const parsed = open.parseAndValidate(text);
    expect(parsed.output).toEqual(output);
    expect(parsed.repairs.map(({ message }) => message)).toEqual(messages);
  });
});

describe('what leaves a value in doubt is an error at its place', () => {
  test.each<[string, string, string]>([
    ['text that is cut', '{"a": "x", "b": "half a sen', '/b truncated'],
    ['text cut in an escape', '{"a": "x\\u00', '/a truncated'],
    ['text cut by the fence', '```json\n{"a": "half a sen\n```\nSorry, I ran out.', '/a truncated'],
    ['a number that may go on', '{"a": [1, 23', '/a/1 truncated'],
    ['a literal that is cut', '{"a": tru', '/a truncated'],
    ['a comma and nothing after it', '{"a": 1,', ' truncated'],
    ['a key without value', '{"a": 1, "b":', '/b truncated'],
    ['a bracket and nothing in it', '{"a": [', '/a/0 truncated'],
    ['a missing bracket after a comma', '{"a": [1,}', '/a/1 syntax'],
    ['a bare word', '{"a": direct}', '/a syntax'],
    ['inner quotes', '{"a": "say "hi" now"}', '/a syntax'],
    ['two texts in a row', '{"a": "x""y": 1}', '/a syntax'],
    ['a hole in a list', '{"a": [1,,2]}', '/a/1 syntax'],
    ['an unknown escape', '{"a": "C:\\dir"}', '/a syntax'],
    ['NaN', '{"a": NaN}', '/a type'],
    ['an infinity', '{"a": {"b": -Infinity}}', '/a/b type'],
    ['undefined', '{"a": undefined}', '/a type'],
    ['a number too large', '{"a": 1e999}', '/a type'],
    ['a number too long', `{"a": ${'9'.repeat(400)}}`, '/a type'],
    ['a number that is none', '{"a": 01}', '/a syntax'],
    ['a closing bracket too many', '{"a": 1]}', '/a syntax'],
    ['a key given twice', '{"a": 1, "b": {"c": 1, "c": 1}}', '/b/c duplicate-key'],
    ['a key given twice in another spelling', '{"a": 1, "\\u0061": 2}', '/a duplicate-key'],
    ['__proto__ given twice', '{"__proto__": 1, "__proto__": 2}', '/__proto__ duplicate-key'],
    ['two hundred and one levels', `{"a": ${'['.repeat(200)}1${']'.repeat(200)}}`, `/a${'/0'.repeat(199)} depth`],
  ])('%s', (_name, text, expected) => expect(keywords(text, open)).toEqual([expected]));

  test('a missing bracket, when the provider says the answer was cut', () => {
    expect(kinds({ text: '{"a": "x"', finish_reason: 'stop' }, open)).toEqual(['syntax']);
    expect(keywords({ text: '{"a": "x"', finish_reason: 'length' }, open)).toEqual(['/a truncated']);
  });
});

describe('an answer without an object', () => {
  test.each<[unknown, string, string]>([
    ['', ' syntax', 'The answer is empty; one JSON object was expected.'],
    [' \n', ' syntax', 'The answer is empty; one JSON object was expected.'],
    ['I cannot do that.', ' syntax', 'The answer holds no JSON object.'],
    ['NaN', ' syntax', 'The answer holds no JSON object.'],
    ['null', ' syntax', 'The answer holds no JSON object.'],
    ['"{\\"tone\\":\\"direct\\"}"', ' syntax', 'The answer holds no JSON object.'],
    ['[1, 2]', ' syntax', 'The answer holds no JSON object.'],
    ['[{"tone":"direct","depth":"long"}]', ' type', 'The answer is an array; one JSON object was expected.'],
    ['```json\n[[{"tone":"direct","depth":"long"}]]\n```', ' type', 'The answer is an array; one JSON object was expected.'],
    [null, ' type', 'The answer is null; one JSON object was expected.'],
    [undefined, ' type', 'The answer is undefined; one JSON object was expected.'],
    [[], ' type', 'The answer is an array; one JSON object was expected.'],
    [7, ' type', 'The answer is a number; one JSON object was expected.'],
  ])('%j', (raw, expected, message) => {
    expect(keywords(raw)).toEqual([expected]);
    expect(failure(raw).message).toBe(`The answer does not fit the output schema. ${message}`);
  });
});

describe('an answer the schema refuses', () => {
  test('names the allowed values, and never coerces', () => {
    for (const tone of ['"Direct"', '" direct"', '"direct."', '0', 'true', '["direct"]']) {
      const { issues } = failure(`{"tone": ${tone}, "depth": "long"}`);
      expect(issues).toContainEqual(expect.objectContaining({ path: '/tone', keyword: 'enum', allowed: tones }));
    }
  });
  test('lists every issue and keeps the answer as it came', () => {
    const text = 'So: {"tone": "loud", "depth": 1, "note": 2}';
    const error = failure(text);
    expect(new Set(error.issues.map(({ path }) => path))).toEqual(new Set(['/tone', '/depth', '/note']));
    expect(error.raw).toBe(text);
    expect(error.code).toBe('output-invalid');
    expect(error.message.startsWith('The answer does not fit the output schema. /tone must be one of "direct"')).toBe(true);
  });
  test('a field whose list stands in enums alone is held to it', () => {
    const listed = promptOf({
      output_schema: { type: 'object', properties: { t: {}, l: { type: 'array' } } },
      enums: { t: ['a'], l: ['b', 'c'] },
    });
    expect(listed.parseAndValidate('{"t":"a","l":["c","b"]}').output).toEqual({ t: 'a', l: ['c', 'b'] });
    expect(keywords('{"t":"b","l":["c","d"]}', listed)).toEqual(['/t enum', '/l enum']);
  });
});

describe('what an answer may come in', () => {
  const json = '{"tone":"direct","depth":"long"}';
  const output = { tone: 'direct', depth: 'long' };
  const chat = (message: unknown, finish_reason = 'stop') => ({
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason, message }],
  });
  test.each<[string, unknown]>([
    ['text', json],
    ['our completion', { text: json, finish_reason: 'stop', usage: undefined, model: 'm' }],
    ['a chat completion', chat({ role: 'assistant', content: json, refusal: null })],
    [
      'a chat completion in parts',
      chat({
        content: [
          { type: 'text', text: json.slice(0, 9) },
          { type: 'text', text: json.slice(9) },
        ],
      }),
    ],
    ['a parsed object', { ...output }],
  ])('%s', (_name, raw) => expect(prompt.parseAndValidate(raw)).toEqual({ output, repairs: [] }));

  test('a parsed object is neither changed nor kept', () => {
    const given = Object.freeze({ tone: 'direct', more: { x: 1 } });
    const { output: read } = prompt.parseAndValidate(given);
    expect(given).toEqual({ tone: 'direct', more: { x: 1 } });
    expect(read.more).not.toBe(given.more);
  });
  test('a parsed object may have fields of a completion when the schema has them', () => {
    const own = promptOf({ output_schema: { type: 'object', properties: { text: {}, choices: {} } } });
    expect(own.parseAndValidate({ text: 'hello' }).output).toEqual({ text: 'hello' });
    expect(own.parseAndValidate({ choices: ['a'] }).output).toEqual({ choices: ['a'] });
    expect(own.parseAndValidate({ text: '{"text":"hi"}', finish_reason: 'stop' }).output).toEqual({ text: 'hi' });
    expect(own.parseAndValidate(chat({ content: '{"text":"hi"}' })).output).toEqual({ text: 'hi' });
  });
  test.each<[string, unknown, string]>([
    ['a refusal', chat({ content: null, refusal: 'No.' }), 'The model refused: No.'],
    [
      'a refusal that quotes a key',
      chat({ refusal: 'I will not repeat sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1w.' }),
      `The model refused: I will not repeat ${'*'.repeat(36)}.`,
    ],
    ['a call of tools', chat({ content: null, tool_calls: [] }), 'The message of the completion has no text.'],
    ['no choices', { object: 'chat.completion', choices: [] }, 'The completion has no message.'],
    ['an object JSON cannot hold', { tone: 'direct', depth: undefined }, '/depth must be JSON, but is undefined.'],
  ])('%s is an error', (_name, raw, message) => expect(failure(raw).message).toContain(message));
});

test('a schema that cannot be compiled is a fault of the config', () => {
  const broken = promptOf({ output_schema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } });
  expect(() => broken.parseAndValidate('{}')).toThrow(/The output_schema of Tester@v1 cannot be used: /);
});

describe('for every answer', () => {
  const object = fc
    .array(fc.tuple(fc.oneof(fc.constantFrom('__proto__', 'constructor', 'tone', ''), fc.string({ unit: 'binary' })), fc.jsonValue()), {
      maxLength: 5,
    })
    .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))) as JsonObject);
  const forms = fc.constantFrom<(json: string) => string>(
    (json) => json,
    (json) => `\n ${json}\n`,
    (json) => `\`\`\`json\n${json}\n\`\`\``,
    (json) => `\`\`\`\n${json}\n\`\`\`\nThat is all, {really}.`,
    (json) => `Here it is: ${json}\nBye.`,
  );

  test('a valid object comes back as it was, bare, fenced or in prose', () => {
    fc.assert(
      fc.property(object, forms, fc.constantFrom(0, 2), (value, form, indent) => {
        const { output, repairs } = open.parseAndValidate(form(JSON.stringify(value, null, indent)));
        expect(JSON.stringify(output)).toBe(JSON.stringify(value));
        expect(repairs.every(({ kind }) => kind === 'fence' || kind === 'prose')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('one that is cut anywhere is refused, or has lost whole entries at most', () => {
    fc.assert(
      fc.property(object, fc.nat(), (value, place) => {
        const json = JSON.stringify(value);
        const text = json.slice(0, place % json.length);
        let output: JsonObject;
        try {
          ({ output } = open.parseAndValidate(text));
        } catch (error) {
          expect(error).toBeInstanceOf(AgentPromptValidationError);
          return;
        }
        // All text of what was kept stands in the original, closed by nothing but brackets.
        expect(JSON.stringify(output).replace(/[\]}]+$/, '')).toBe(text.replace(/[\]}]+$/, ''));
      }),
      { numRuns: 500 },
    );
  });

  test('nothing but AgentPromptValidationError is ever thrown', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ':',
      ',',
      '\\',
      '\n',
      '```',
      '/*',
      '*/',
      '//',
      ' ',
      '"a"',
      'true',
      '-',
      '1',
      'e9',
      '\u00a0',
      '<think>',
      '__proto__',
    );
    const hostile = fc.oneof(
      fc.array(token, { maxLength: 40 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withNullPrototype: true,
        withSparseArray: true,
        withTypedArray: true,
      }),
    );
    fc.assert(
      fc.property(hostile, fc.constantFrom(open, prompt), (raw, of) => {
        try {
          of.parseAndValidate(raw);
        } catch (error) {
          expect(error).toBeInstanceOf(AgentPromptValidationError);
        }
      }),
      { numRuns: 1000 },
    );
    const throwing = {
      get tone(): string {
        throw new Error('no');
      },
    };
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    for (const raw of [
      throwing,
      cyclic,
      { a: 1n },
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no');
          },
        },
      ),
    ])
      expect(() => open.parseAndValidate(raw)).toThrow(AgentPromptValidationError);
  });
});

describe('the time an answer takes grows with its length', () => {
  const n = 1_000_000;
  const list = JSON.stringify({ a: Array.from({ length: n }, () => 'x"\n') });
  test.each<[string, () => string]>([
    ['opening braces', () => '{'.repeat(n)],
    ['opening brackets', () => '['.repeat(n)],
    ['quotes', () => '"'.repeat(n)],
    ['braces and quotes', () => '{"'.repeat(n / 2)],
    ['braces and single quotes', () => "{'".repeat(n / 2)],
    ['objects that never end', () => '{"a":'.repeat(n / 5)],
    ['comments that never end', () => '{/*'.repeat(n / 3)],
    ['comments that end at last', () => `${'{/*'.repeat(n / 3)}*/`],
    ['line comments', () => '{//'.repeat(n / 3)],
    ['escaped quotes', () => `{"${'\\"{'.repeat(n / 3)}`],
    ['bad escapes', () => '{"\\u'.repeat(n / 4)],
    ['space', () => `{${' '.repeat(n)}`],
    ['wide space', () => `{${'\u00a0{'.repeat(n / 2)}`],
    ['commas', () => `{${','.repeat(n)}`],
    ['fences', () => '{"a":"\n```\n'.repeat(n / 10)],
    ['backslashes', () => `{"a":"${'\\'.repeat(n)}`],
    ['empty objects', () => '{}'.repeat(n / 2)],
    ['broken objects', () => '{"a":x}'.repeat(n / 7)],
    ['broken lists', () => '[{"a":x}]'.repeat(n / 9)],
    ['whole lists', () => '[{"a":1}]'.repeat(n / 9)],
    ['ten megabytes of text', () => JSON.stringify({ a: 'x'.repeat(10 * n) })],
    ['a million values', () => list],
    ['a million values with a slip', () => list.replace(/]}$/, ',]')],
  ])(
    '%s',
    (_name, make) => {
      const text = make();
      const start = performance.now();
      try {
        open.parseAndValidate(text);
      } catch (error) {
        expect(error).toBeInstanceOf(AgentPromptValidationError);
      }
      // A second or so; what reads its text again and again takes minutes.
      expect(performance.now() - start).toBeLessThan(20_000);
    },
    60_000,
  );
});
