import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FormattingOptions, TextEdit } from 'vscode-languageserver';
import { applyReplacements } from '../../core/jsonText/jsonEdit.js';
import { layOut } from '../../server/formatting/layOut.js';
import { editText, openServer } from '../support/serverHarness.js';
import '../support/seed.js';

const options: FormattingOptions = { tabSize: 2, insertSpaces: true };

function laidOut(text: string, layout = options): string {
  const replacements = layOut(text, layout);
  if (replacements.some(({ start, end, text: put }) => /[^ \t\r\n]/.test(text.slice(start, end) + put)))
    throw new Error('An edit of more than white space');
  return applyReplacements(text, replacements);
}

describe('the layout of a text', () => {
  test.each([
    ['a file on one line gets its members on lines of their own', '{"a":1,"b":{"c":[1,2]}}', '{\n  "a": 1,\n  "b": {"c": [1, 2]}\n}'],
    ['what stands on one line stays there', '{\n "a": [1,2],\n "b": { "c":3 }}', '{\n  "a": [1, 2],\n  "b": { "c": 3 }\n}'],
    ['what is broken into lines has each member on its own', '{\n"a": [\n1,2]\n}', '{\n  "a": [\n    1,\n    2\n  ]\n}'],
    ['an empty object or list has nothing in it', '{\n "a": {  }, "b": [\n\n]\n}', '{\n  "a": {},\n  "b": []\n}'],
    ['empty lines between members go', '{\n  "a": 1,\n\n\n\n  "b": 2\n}', '{\n  "a": 1,\n  "b": 2\n}'],
    ['the last line break stays, and no second', '{}\n\n\n', '{}\n'],
    ['CRLF stays CRLF', '{\r\n"a": 1,"b": 2\r\n}\r\n', '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n'],
    ['a byte order mark stays', '\ufeff{"a":1}', '\ufeff{\n  "a": 1\n}'],
    ['texts are left alone', '{"a":"  {\\n} , 🎉  :"  }', '{\n  "a": "  {\\n} , 🎉  :"\n}'],
    ['comments stay behind what they are about', '{ // why\n"a": 1 /* so */, }', '{ // why\n  "a": 1 /* so */,\n}'],
    ['a text with a missing comma is left alone', '{\n"a": 1\n"b":   2}', '{\n"a": 1\n"b":   2}'],
    ['a text with an open bracket is left alone', '{\n"c": [1', '{\n"c": [1'],
    ['a text with an open string is left alone', '{\n"a": "x   ,\n   "b": 1 }', '{\n"a": "x   ,\n   "b": 1 }'],
    ['a text with a bracket too many is left alone', '{"a": 1 } ]  }', '{"a": 1 } ]  }'],
    ['nothing is nothing', ' \n ', ' \n '],
  ])('%s', (_name, before, after) => expect(laidOut(before)).toBe(after));

  test('takes tabs, and a last line break where it is wanted', () => {
    expect(laidOut('{"a": 1}', { tabSize: 4, insertSpaces: false, insertFinalNewline: true })).toBe('{\n\t"a": 1\n}\n');
  });

  test('keeps the value of any JSON in any white space, and changes nothing the second time', () => {
    const space = fc.stringMatching(/^[ \t\n\r]{0,4}$/);
    const spaced = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.array(space, { minLength: 1, maxLength: 40 })).map(([value, spaces]) => {
      let at = 0;
      return JSON.stringify(value).replace(
        /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^"{}[\],:]+/g,
        (token) => `${spaces[at++ % spaces.length]}${token}`,
      );
    });
    fc.assert(
      fc.property(spaced, (text) => {
        const written = laidOut(text);
        expect(JSON.parse(written)).toEqual(JSON.parse(text));
        expect(written.match(/"(?:[^"\\]|\\.)*"/g)).toEqual(text.match(/"(?:[^"\\]|\\.)*"/g));
        expect(laidOut(written)).toBe(written);
      }),
      { numRuns: 500 },
    );
  });

  test('of any text changes white space only, and nothing the second time', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      'tru',
      ' ',
      '\n',
      '\r\n',
      '\t',
      '// x\n',
      '/* y',
      '*/',
      '\\',
      '🎉',
      '\u00a0',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const written = laidOut(text);
        expect(written.replace(/[ \t\r\n]/g, '')).toBe(text.replace(/[ \t\r\n]/g, ''));
        expect(laidOut(written)).toBe(written);
      }),
      { numRuns: 2000 },
    );
  });

  test('of 200,000 brackets that do not match takes no time', () => {
    const started = performance.now();
    for (const text of ['{'.repeat(200_000), ']'.repeat(200_000), `[${'}'.repeat(200_000)}`, '[{"a":'.repeat(50_000)])
      expect(laidOut(text).length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

const path = 'config/llms/main.json';

async function onType(marked: string, ch: string): Promise<string> {
  const server = await openServer({ [path]: marked });
  const edits = await server.request<readonly TextEdit[]>('textDocument/onTypeFormatting', { ...server.at(path), ch, options });
  return editText(server.text(path), edits);
}

describe('formatting in the editor', () => {
  test('formats a document', async () => {
    const server = await openServer({ [path]: '|{"llm_id":"main"}' });
    const edits = await server.request<readonly TextEdit[]>('textDocument/formatting', { ...server.at(path), options });
    expect(editText(server.text(path), edits)).toBe('{\n  "llm_id": "main"\n}');
    server.edit(path, editText(server.text(path), edits));
    expect(await server.request('textDocument/formatting', { textDocument: { uri: server.uri(path) }, options })).toEqual([]);
  });

  test('formats a range, and nothing outside of it', async () => {
    const server = await openServer({ [path]: '|{\n"llm_id":"main",\n|"price":{"input":1},|\n"options":{}\n}' });
    const range = { start: server.at(path, 1).position, end: server.at(path, 2).position };
    const edits = await server.request<readonly TextEdit[]>('textDocument/rangeFormatting', { ...server.at(path), range, options });
    expect(editText(server.text(path), edits)).toBe('{\n"llm_id":"main",\n  "price": {"input": 1},\n"options":{}\n}');
  });

  test('leaves a file alone that is none of ours', async () => {
    const server = await openServer({ 'other/a.json': '|{"a":1}' });
    expect(await server.request('textDocument/formatting', { ...server.at('other/a.json'), options })).toBe(null);
  });

  test.each([
    ['a closing bracket formats what it closes', ']', '{\n"llm_id":   1,\n"b": [1,2,  3]|\n}', '{\n"llm_id":   1,\n"b": [1, 2, 3]\n}'],
    ['one that closes nothing does nothing', '}', '{\n"llm_id":   1 ]\n}}|', '{\n"llm_id":   1 ]\n}}'],
    ['one in a string does nothing', '}', '{\n"llm_id":   "a}|"\n}', '{\n"llm_id":   "a}"\n}'],
    ['a line break formats the line before and indents its own', '\n', '{\n  "a":1  ,\n|\n}', '{\n  "a": 1,\n  \n}'],
    ['a line break right before a bracket keeps the level of that', '\n', '{\n  "llm_id": [\n|]\n}', '{\n  "llm_id": [\n  ]\n}'],
    ['a line break in CRLF and broken JSON', '\n', '{\r\n  "a": [\r\n|\r\n', '{\r\n  "a": [\r\n    \r\n'],
  ])('%s', async (_name, ch, before, after) => expect(await onType(before, ch)).toBe(after));
});
