import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withFields } from '../../core/config/fileText.js';

test('changes a value where it stands, and nothing around it', () => {
  const text = '{\r\n\t"llm_id": "fast",\r\n\t"model_name" :  "old" \r\n}\r\n';
  expect(withFields('config/llms/a.json', text, { model_name: 'new' })).toBe(text.replace('"old"', '"new"'));
});

test('adds what is missing in the layout of the file', () => {
  expect(withFields('config/llms/a.json', '{\n    "llm_id": "fast"\n}\n', { provider: 'vscode' })).toBe(
    '{\n    "llm_id": "fast",\n    "provider": "vscode"\n}\n',
  );
  expect(withFields('config/llms/a.json', '{ "llm_id": "fast" }', { provider: 'vscode' })).toBe(
    '{ "llm_id": "fast", "provider": "vscode" }',
  );
  expect(withFields('config/llms/a.json', '{}', { provider: 'vscode' })).toBe('{ "provider": "vscode" }');
});

test('refuses what is not a JSON object', () => {
  expect(withFields('config/llms/a.json', '[1]', { a: 1 })).toBeUndefined();
  expect(withFields('config/llms/a.json', '{ "a": ', { a: 1 })).toBeUndefined();
});

test('always comes to the object with these fields over it', () => {
  const object = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'a', 'b')), fc.jsonValue());
  fc.assert(
    fc.property(object, object, fc.constantFrom(undefined, 1, '\t'), (before, fields, space) => {
      const clean = (given: object) => JSON.parse(JSON.stringify(given));
      const text = withFields('config/llms/a.json', JSON.stringify(before, null, space), clean(fields));
      const { $schema: _schema, $ignore: _ignore, ...rest } = JSON.parse(text ?? '');
      expect(rest).toEqual(Object.fromEntries([...Object.entries(clean(before)), ...Object.entries(clean(fields))]));
    }),
  );
});
