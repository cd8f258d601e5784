import fc from 'fast-check';
import { expect, test } from 'vitest';
import { locate } from '../../core/jsonText/locate.js';
import { longTextAt, longTexts } from '../../core/markdown/longTexts.js';

const pointersIn = (json: string) => longTexts(json).map(({ pointer }) => pointer);

test('prompt fields are long texts at any length, others when they have lines or many words', () => {
  const json = JSON.stringify({
    mode: 'Chooser',
    system_text: 'You',
    plan: { steps: [{ note: 'a\nb' }, { note: 'a b' }, 'x'.repeat(200)] },
    'a/b~c': { text: 'one\ntwo' },
    paths: 'C:\\new',
  });
  expect(pointersIn(json)).toEqual(['/system_text', '/plan/steps/0/note', '/plan/steps/2', '/a~1b~0c/text']);
});

test('a key is not text, however long it is', () => {
  expect(pointersIn(`{"${'k'.repeat(300)}": 1}`)).toEqual([]);
});

test('the caret is in a text from its first quote to behind its last', () => {
  const json = '{"system_text": "You", "mode": "a"}';
  const at = (offset: number) => longTextAt(json, offset)?.pointer;
  expect([json.indexOf('"You') - 1, json.indexOf('"You'), json.indexOf('You"') + 4, json.indexOf('"a"')].map(at)).toEqual([
    undefined,
    '/system_text',
    '/system_text',
    undefined,
  ]);
});

test('a file that is still being typed is read as far as it goes', () => {
  expect(pointersIn('{"system_text": "You are\n  "purpose_text": "x",\n "template": "y"')).toEqual([
    '/system_text',
    '/purpose_text',
    '/template',
  ]);
});

test('every text found is at its pointer', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify({ value, system_text: 'x' }, null, 1);
      const texts = longTexts(json);
      const places = locate(
        json,
        texts.map(({ pointer }) => pointer),
      );
      for (const { pointer, start, end, keyStart } of texts) {
        expect(places.get(pointer)?.value).toEqual({ start, end });
        expect(keyStart).toBe(places.get(pointer)?.key?.start ?? start);
      }
    }),
  );
});

test('a megabyte on one line is read in a moment', () => {
  const json = JSON.stringify(Array.from({ length: 40_000 }, (_, index) => ({ [`key ${index}`]: 'value' })));
  const started = performance.now();
  expect(longTexts(json)).toEqual([]);
  expect(performance.now() - started).toBeLessThan(20_000);
});
