import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeString } from '../../core/jsonText/decodedString.js';
import type { Environment } from '../../core/ports.js';
import { createSourcePlaces, type Stretch, stretchesOf } from '../../core/prompt/sourcePlaces.js';
import type { SourceSpan } from '../../core/prompt/types.js';

const none: Environment = { get: () => undefined };
const span = (content: string, pointer: string, layer: SourceSpan['layer'] = 'agent'): SourceSpan => ({
  message: 0,
  start: 0,
  end: content.length,
  file: layer === 'fixed' || layer === 'input' ? null : 'a.json',
  pointer,
  layer,
});

/** The stretches of one text, each with what is written where it came from. */
function rawOf(file: string, pointer: string, content: string, variables = none, path = 'a.json'): string[] {
  const stretches = stretchesOf({ messages: [{ role: 'system', content }], source_map: [span(content, pointer)] });
  const find = createSourcePlaces(path, file, [pointer], variables);
  return stretches.map((stretch) => {
    const place = find(stretch, content.slice(stretch.start, stretch.end));
    return place === undefined ? '(nowhere)' : file.slice(place.range.start, place.range.end);
  });
}

describe('the JSON behind a prompt', () => {
  test('is the very line inside an escaped string', () => {
    const file = '{"system_text": "Say \\"hi\\".\\n\\n1. \\u00e9t\\u00e9\\n2. \\\\n is not a line"}';
    expect(rawOf(file, '/system_text', JSON.parse(file).system_text)).toEqual([
      'Say \\"hi\\".\\n\\n',
      '1. \\u00e9t\\u00e9\\n',
      '2. \\\\n is not a line',
    ]);
  });

  test('is the very line of a prompt as text', () => {
    const file = '---\nname: a\n---\n\nSay "hi".\r\n\r\n1. été\n';
    expect(rawOf(file, '/template', 'Say "hi".\n\n1. été', none, 'a.md')).toEqual(['Say "hi".\r\n\r\n', '1. été']);
  });

  test('is the placeholder where a variable was put in', () => {
    const file = '{"system_text": "Dear ${NAME},\\nwrite to ${TEAM:-us}.\\nBye"}';
    const variables: Environment = { get: (name) => (name === 'NAME' ? 'Ada\nand "Bob"' : undefined) };
    expect(rawOf(file, '/system_text', 'Dear Ada\nand "Bob",\nwrite to us.\nBye', variables)).toEqual([
      'Dear ${NAME}',
      '${NAME},\\n',
      'write to ${TEAM:-us}.\\n',
      'Bye',
    ]);
  });

  test.each(['template', 'system_text', 'user_text'])(
    'is the text between the paths of a template: %s of an agent that is sent as written',
    (field) => {
      const file = `{"${field}": "For {{input.a}}:\\n\\tsay \${X}{{input.b}}!"}`;
      const content = 'For A:\n\tsay 1 {not} B!';
      const cut = (text: string, from = 0): SourceSpan => {
        const start = content.indexOf(text, from);
        return { ...span(text, `/${field}`), start, end: start + text.length };
      };
      const input = (text: string): SourceSpan => ({ ...cut(text), file: null, layer: 'input', pointer: `/${text}` });
      const source_map = [cut('For '), input('A'), cut(':\n\tsay 1 {not} '), input('B'), cut('!')];
      const variables: Environment = { get: () => '1 {not} ' };
      const agent = { agent_type: 'single_shot' } as const;
      const find = createSourcePlaces('a.json', file, [`/${field}`], variables, agent);
      const written = stretchesOf({ messages: [{ role: 'system', content }], source_map }, agent)
        .filter(({ layer }) => layer !== 'input')
        .map((stretch) => {
          const { range } = find(stretch, content.slice(stretch.start, stretch.end))!;
          return file.slice(range.start, range.end);
        });
      expect(written).toEqual(['For ', ':\\n', '\\tsay ${X}', '!']);
    },
  );

  test('is the key for a name and the whole value for what was written differently', () => {
    const file = '{"output_schema": {"properties": {"to, one": {"description": "one\\ntwo"}}}, "few": [{"a": 1}]}';
    expect(rawOf(file, '/output_schema/properties/to, one', '"to, one"')).toEqual(['to, one']);
    expect(rawOf(file, '/output_schema/properties/to, one/description', 'one two')).toEqual(['one\\ntwo']);
    expect(rawOf(file, '/few/0', '{"a":1}')).toEqual(['{"a": 1}']);
    expect(rawOf(file, '/nothing', 'x')).toEqual(['(nowhere)']);
  });

  test('is found for every line of every string, however it is escaped', () => {
    const unit = fc.constantFrom('a', '\n', '"', '\\', '\t', 'é', '😀', '\ud800', '$', '{', '}');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), fc.func(fc.boolean()), (units, isEscaped) => {
        const value = units.join('');
        const escapeAll = (text: string) =>
          [...text.split('')].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
        const written = units.map((one, index) => (isEscaped(index) ? escapeAll(one) : JSON.stringify(one).slice(1, -1))).join('');
        const file = `{"x": 1, "system_text": "${written}", "y": 2}`;
        const raw = value === '' ? [] : rawOf(file, '/system_text', value);
        // Together they are the string, and each says what its line says.
        expect(raw.join('')).toBe(written);
        expect(raw.map((one) => JSON.parse(`"${one}"`)).join('')).toBe(value);
      }),
    );
  });
});

test('stretches cover every unit of every message once, in order', () => {
  const content = 'one\ntwo\n\n\nthree\n';
  const stretches: readonly Stretch[] = stretchesOf({ messages: [{ role: 'user', content }], source_map: [span(content, '/system_text')] });
  expect(stretches.map(({ start, end }) => content.slice(start, end))).toEqual(['one\n', 'two\n\n\n', 'three\n']);
  const words = '\n\n';
  expect(stretchesOf({ messages: [{ role: 'user', content: words }], source_map: [span(words, '', 'fixed')] })).toHaveLength(1);
});

test('an offset past the end of a string is its closing quote, and what is not a string has none', () => {
  const text = '["a\\nb", 1, "cut';
  const string = decodeString(text, { start: 1, end: 7 });
  expect([0, 1, 2, 3, 99].map((offset) => text[string!.rawOffset(offset)])).toEqual(['a', '\\', 'b', '"', '"']);
  expect(decodeString(text, { start: 9, end: 10 })).toBeUndefined();
  expect(decodeString(text, { start: 12, end: 16 })).toBeUndefined();
});
