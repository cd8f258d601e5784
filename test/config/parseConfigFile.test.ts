import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import { defaultSettings } from '../../core/config/readSettings.js';
import type { Json } from '../../core/json.js';
import { maxDepth } from '../../core/jsonText/jsonShape.js';
import { parseJson } from '../../core/jsonText/parseJson.js';
import { sameJson, writtenJson } from '../support/writtenJson.js';

const path = 'config/agents/A2/v1.json';
const parse = (text: string, at = path) => parseConfigFile(at, text, identifyFile(at, defaultSettings)!);
const withoutBom = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text);

describe('valid JSON', () => {
  test('is read as JSON.parse reads it, however it is written', () => {
    fc.assert(
      fc.property(writtenJson, ({ text }) => {
        expect(sameJson(parseJson(text).value, JSON.parse(withoutBom(text)) as Json)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('has a syntax fault exactly where a key is given again, with the place of the first', () => {
    fc.assert(
      fc.property(writtenJson, ({ text, duplicates }) => {
        const found = parseJson(text).syntax.map(({ code, range, first, pointer }) => ({ code, range, first, pointer }));
        const expected = duplicates.map(({ range, first, pointer }) => ({ code: 'duplicate-key', range, first, pointer }));
        expect(found).toEqual(expected.toSorted((left, right) => left.range.start - right.range.start));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['{"a": ":", "b": ": x", "c": [":"]}', []],
    ['{"a": "x\\": 1", "b": "\\\\", "c": "\\" : "}', []],
    ['{"a\\"": 1, "a\\"" : 2}', ['duplicate-key']],
    ['{"a\\\\": 1, "a\\\\": 2}', ['duplicate-key']],
    ['{"a": ":", "a": 1}', ['duplicate-key']],
    ['{"a"\n:1, "a"\t:2}', ['duplicate-key']],
    ['{":": 1, ":": 2}', ['duplicate-key']],
  ])('tells keys from colons and quotes in texts: %s', (text, codes) => {
    expect(parseJson(text).syntax.map(({ code }) => code)).toEqual(codes);
  });

  test('keeps __proto__ and constructor as ordinary keys', () => {
    const { value, syntax } = parseJson('{"__proto__": {"a": 1}, "constructor": 2, "hasOwnProperty": 3}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor', 'hasOwnProperty']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(syntax).toEqual([]);
  });

  test('sees __proto__ given twice', () => {
    expect(parseJson('{"__proto__": 1, "\\u005f_proto__": 2}').syntax.map(({ code }) => code)).toEqual(['duplicate-key']);
  });

  test('is kept with any root, and the schema speaks', () => {
    for (const text of ['[]', '"text"', '7', 'null', 'true']) {
      const file = parse(text);
      expect(file.value).toEqual(JSON.parse(text));
      expect(file.schemaErrors.map(({ keyword, pointer }) => ({ keyword, pointer }))).toContainEqual({ keyword: 'type', pointer: '' });
    }
  });
});

describe('text that is not JSON', () => {
  test('has no value and at least one fault inside the text: everything JSON.parse refuses, and nothing else', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b',
      "'c'",
      '1',
      '-',
      '0x1',
      'nul',
      'null',
      '//x\n',
      '/*y*/',
      '\\',
      ' ',
      '\n',
      '```',
      '“d”',
      '\u00a0',
      '.5',
      '"\\x"',
      '"\t"',
    ];
    const text = fc.oneof(
      fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
      fc.tuple(writtenJson, fc.nat(), fc.nat(8), fc.constantFrom(...pieces)).map(([{ text: whole }, at, cut, piece]) => {
        const start = at % (whole.length + 1);
        return whole.slice(0, start) + piece + whole.slice(start + cut);
      }),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    fc.assert(
      fc.property(text, (given) => {
        const { value, syntax } = parseJson(given);
        const expected = parsedOrUndefined(given);
        expect(sameJson(value, expected)).toBe(true);
        if (expected === undefined) expect(syntax.length).toBeGreaterThan(0);
        else for (const { code } of syntax) expect(code).toBe('duplicate-key');
        for (const { range, message, code } of syntax) {
          expect(0 <= range.start && range.start <= range.end && range.end <= given.length, message).toBe(true);
          expect(message.startsWith('Not JSON:'), `${code} of ${JSON.stringify(given)}: ${message}`).toBe(false);
          expect(message).not.toMatch(/[\n\r]/);
        }
      }),
      { numRuns: 5000 },
    );
  });

  test.each([10_000, 1_000_000])('nested %i levels deep is refused with its place, not with an overflow', (levels) => {
    for (const opener of ['[', '{"a":', '[{"a":']) {
      const { value, syntax } = parseJson(opener.repeat(levels));
      expect(value).toBeUndefined();
      expect(syntax).toHaveLength(1);
      expect(syntax[0]).toMatchObject({ code: 'json-syntax', message: expect.stringContaining(`${maxDepth} levels`) });
    }
  });

  test('nested exactly as deep as allowed is read, one level more is not', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(nested(maxDepth)).syntax).toEqual([]);
    expect(parseJson(nested(maxDepth + 1))).toMatchObject({
      value: undefined,
      syntax: [{ code: 'json-syntax', range: { start: maxDepth, end: maxDepth + 1 } }],
    });
  });

  test('with faults without end is reported up to a limit, in time that does not explode', () => {
    const started = performance.now();
    expect(parseJson("{'a': 1, ".repeat(100_000)).syntax.length).toBeLessThanOrEqual(51);
    expect(parseJson(`[${'"\\x",'.repeat(200_000)}1]`).syntax.length).toBeLessThanOrEqual(51);
    expect(parseJson(`["${'\\x'.repeat(500_000)}"]`).syntax.length).toBeLessThanOrEqual(51);
    expect(parseJson(`[${'/* */'.repeat(200_000)}]`).syntax.length).toBeLessThanOrEqual(51);
    expect(parseJson(`["${'\\\\'.repeat(500_000)}", ]`).syntax.map(({ code }) => code)).toEqual(['trailing-comma']);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('$schema and $ignore', () => {
  test('are not part of the value, and other keys keep their order', () => {
    const file = parse('{"$schema": "x", "version": "v1", "__proto__": 1, "$ignore": {"schema": true}, "agent_name": "A2"}');
    expect(Object.keys(file.value as object)).toEqual(['version', '__proto__', 'agent_name']);
    expect(file.ignore.get('schema')).toBe(true);
  });

  test('are only taken from the root', () => {
    expect(parse('{"agent_name": "A2", "version": "v1", "output_schema": {"$schema": "x", "$ignore": 1}}').value).toEqual({
      agent_name: 'A2',
      version: 'v1',
      output_schema: { $schema: 'x', $ignore: 1 },
    });
  });

  test('$ignore that is malformed silences what is right in it and says what is not', () => {
    const file = parse(
      '{"agent_name": "A2", "version": "v1", "$ignore": {"schema": ["/a", 3, "b"], "unknown-model": false, "__proto__": true}}',
    );
    expect([...file.ignore]).toEqual([
      ['schema', ['/a']],
      ['__proto__', true],
    ]);
    expect(file.ignoreErrors.map(({ pointer }) => pointer)).toEqual(['/$ignore/schema/1', '/$ignore/schema/2', '/$ignore/unknown-model']);
    expect(parse('{"$ignore": []}').ignoreErrors.map(({ pointer }) => pointer)).toEqual(['/$ignore']);
  });
});

describe("another tool's file", () => {
  test.each([
    ['its own keys', '{"compilerOptions": {}, "include": []}', 'compilerOptions'],
    ['its own $schema', '{"$schema": "https://json.schemastore.org/tsconfig", "include": []}', '$schema'],
    ['a field of ours among them', '{"compilerOptions": {}, "version": "1"}', 'compilerOptions'],
  ])('is told by %s', (_name, text, key) => {
    expect(parse(text).foreign?.key).toBe(key);
  });

  test.each([
    ['only unknown keys', JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index])))],
    ['names that many tools have', '{"name": "x", "instructions": "y", "model": "gpt-4"}'],
    ['a field that only ours have', '{"compilerOptions": {}, "agent_name": "A2"}'],
    ['our $schema', '{"$schema": "../../schemas/agent.schema.json", "compilerOptions": {}}'],
    ['a $schema on disk', '{"$schema": "./mine.json", "include": []}'],
    ['an $ignore', '{"$ignore": {}, "compilerOptions": {}}'],
    ['no key at all', '{}'],
    ['no object', '[]'],
    ['no JSON', '{"compilerOptions": '],
  ])('is none with %s', (_name, text) => {
    expect(parse(text).foreign).toBeUndefined();
  });

  test('mcp.json as other MCP clients write it is ours to report', () => {
    const mcp = (text: string) => parseConfigFile('config/mcp.json', text, { kind: 'mcp', name: 'mcp', id: 'mcp' });
    expect(mcp('{"mcpServers": {}}').foreign).toBeUndefined();
    expect(mcp('{"server": {}}').foreign).toBeUndefined();
    expect(mcp('{"scripts": {}}').foreign?.what).toBe('an npm package');
  });
});

function parsedOrUndefined(text: string): Json | undefined {
  try {
    return JSON.parse(withoutBom(text)) as Json;
  } catch {
    return undefined;
  }
}
