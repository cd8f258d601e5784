import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { editsOfFile, fileTextAfter, promptFileText } from '../../core/jsonText/promptEdits.js';
import { readPromptText } from '../../core/jsonText/promptText.js';
import { readMarks } from '../support/markedText.js';

/** What a Markdown prompt says, or the marked faults of its front matter. */
const read = (text: string): unknown => {
  const { json, faults } = readPromptText(text);
  return faults.length > 0 ? faults.map(({ message }) => message) : JSON.parse(json);
};

describe('a prompt in Markdown is read as', () => {
  test('its template, without front matter', () => {
    expect(read('You say "hi" to {{input.name}}.\n\tBye \\o/\n')).toEqual({ template: 'You say "hi" to {{input.name}}.\n\tBye \\o/' });
  });

  test('its fields, with front matter; one empty line sets the template apart', () => {
    const text =
      '---\nname: reviewer\nversion: "1"\n# A comment\nvariables: ["input.a"]\n\nfew_shot_examples: [\n  { "input": 1 }\n  ]\n---\n\nHi\n\n';
    const value = { name: 'reviewer', version: '1', variables: ['input.a'], few_shot_examples: [{ input: 1 }], template: 'Hi\n' };
    expect(read(text)).toEqual(value);
    expect(read(`\ufeff${text.replaceAll('\n', '\r\n')}`)).toEqual(value);
  });

  test('the fields JSON has, whose type the schema judges', () => {
    expect(read('---\nversion: 1.5\nvariables: null\nname: true\n---\nHi')).toEqual({
      version: 1.5,
      variables: null,
      name: true,
      template: 'Hi',
    });
  });

  test('an empty template, where there is none', () => {
    expect(read('')).toEqual({ template: '' });
    expect(read('---\n---')).toEqual({ template: '' });
  });

  test('a template that begins with a line of hyphens, below empty front matter', () => {
    expect(read('---\n---\n---\nHi\n')).toEqual({ template: '---\nHi' });
  });
});

describe('what is not understood is marked where it is', () => {
  const check = (fixture: string) => {
    const { text, marks } = readMarks(fixture);
    const { faults, toFile } = readPromptText(text);
    const marked = faults.map(({ range, message }) => [text.slice(toFile(range.start), toFile(range.end)), message]);
    expect(marked).toEqual(marks.map(({ range, words }) => [text.slice(range.start, range.end), expect.stringContaining(words)]));
    expect(marks).not.toEqual([]);
  };
  test.each([
    ['a list of YAML', '---\nvariables:\n  - input.a\n^^^^^^^^^^^ fault lists and objects are written as JSON\n---\nHi'],
    ['a text over several lines', '---\nname: |\n      ^ fault Put it in double quotes\n  a\n^^^ fault not understood\n---\nHi'],
    ['an alias', '---\nname: *other\n      ^^^^^^ fault Put it in double quotes\n---\nHi'],
    ['single quotes', "---\nname: 'it'\n      ^^^^ fault Put it in double quotes\n---\nHi"],
    ['a number JSON does not have', '---\nversion: 0x10\n         ^^^^ fault Put it in double quotes\n---\nHi'],
    ['a colon without a space', '---\nname:a\n^^^^^^ fault not understood\n---\nHi'],
    ['the template as a field', '---\ntemplate: "Hi"\n^^^^^^^^^^^^^^ fault The text below the front matter is the template\n---\nHi'],
    [
      'the template as a quoted field',
      '---\n"template": Hi\n^^^^^^^^^^^^^^ fault The text below the front matter is the template\n---\nHi',
    ],
    ['front matter without an end', '---\n^^^ fault Add a line with three hyphens\nname: a\n'],
  ])('%s', (_name, fixture) => check(fixture));
});

test('every offset of the file has its place in the JSON text, and the other way round', () => {
  const text = '---\nname: reviewer\nvariables: ["input.a"]\n---\n\nSay "hi"\r\nto {{input.a}}.\n';
  const { json, toFile, fromFile, members, body } = readPromptText(text);
  for (const word of ['reviewer', 'input.a"', 'name', 'Say', 'hi', '{{input.a}}']) {
    const start = text.lastIndexOf(word);
    expect(json.slice(fromFile(start), fromFile(start + word.length))).toBe(word);
    expect([toFile(fromFile(start)), toFile(fromFile(start + word.length))]).toEqual([start, start + word.length]);
  }
  expect(members.map(({ name, value }) => [name, text.slice(value.start, value.end)])).toEqual([
    ['name', 'reviewer'],
    ['variables', '["input.a"]'],
  ]);
  expect(text.slice(body.start, body.end)).toBe('Say "hi"\r\nto {{input.a}}.');
});

test('any prompt is the same after it is written as Markdown', () => {
  const value = fc.oneof(fc.string(), fc.constantFrom('v1', 'yes', '1.0', '', 'a: b'), fc.jsonValue());
  const fields = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('name', 'version', '$ignore')), value);
  const template = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom('---', '\n', '\r', ' ', '"', '\\', '#', '{{input}}', 'é', '\u2028')).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(fields, template, (given, text) => {
      const prompt = JSON.parse(JSON.stringify({ ...given, template: text })) as JsonObject;
      const written = promptFileText(prompt);
      if (written === undefined) expect(text).toMatch(/\r\n|\r$/);
      else expect(read(written)).toEqual(prompt);
    }),
  );
});

describe('an edit of the JSON text', () => {
  const check = (before: string, edit: (json: JsonEdit) => void, after: string | undefined) => {
    const json = new JsonEdit(readPromptText(before).json);
    edit(json);
    const edits = editsOfFile('config/prompts/a/v1.md', before, json.replacements());
    expect(edits && fileTextAfter('config/prompts/a/v1.md', before, json.replacements())).toBe(after);
    return edits;
  };
  const text = '---\nname: a\n# why\nvariables: ["input.x"]\n---\n\nHi {{input.y}}\nand {{input.y}}\n';

  test('in the template stays where it is', () => {
    const edits = check(
      text,
      (json) => {
        json.replaceWithin('/template', 'value', { start: 5, end: 12 }, 'input.x');
        json.replaceWithin('/template', 'value', { start: 21, end: 28 }, 'input."x"\n');
      },
      text.replace('input.y', 'input.x').replace('input.y', 'input."x"\n'),
    );
    expect(edits).toHaveLength(2);
  });

  test('of a field changes its line only', () => {
    check(text, (json) => json.set('/name', 'b'), text.replace('name: a', 'name: b'));
    check(text, (json) => json.replace('/variables/0', 'input.y'), text.replace('["input.x"]', '["input.y"]'));
    check(text, (json) => json.rename('/variables', 'inputs'), text.replace('variables', 'inputs'));
    check(text, (json) => json.remove('/variables'), text.replace('variables: ["input.x"]\n', ''));
  });

  test('that adds a field adds a line, or front matter', () => {
    check(text, (json) => json.set('/$ignore', { a: true }), text.replace('---\n\n', '$ignore: { "a": true }\n---\n\n'));
    check('Hi\r\n', (json) => json.set('/version', 'v1'), '---\r\nversion: v1\r\n---\r\n\r\nHi\r\n');
    check('Hi\n', (json) => json.set('/version', '1.0'), '---\nversion: "1.0"\n---\n\nHi\n');
  });

  test('that Markdown cannot express is none', () => {
    check(text, (json) => json.replace('/template', 'a\r\nb'), undefined);
  });
});
