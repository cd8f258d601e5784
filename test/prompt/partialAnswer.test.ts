import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPartialAnswer } from '../../core/prompt/partialAnswer.js';

function read(chunks: readonly string[]) {
  const answer = createPartialAnswer();
  return chunks.flatMap((chunk) => answer.push(chunk)).map(({ name, value }) => [name, value]);
}

test('a field appears with the chunk that completes it', () => {
  const answer = createPartialAnswer();
  const steps = ['{"to', 'ne": "dir', 'ect', '"', ', "n": 1', '2', ', "l": [1, {"}": "]"', '}]', '}'].map((chunk) =>
    answer
      .push(chunk)
      .map(({ name }) => name)
      .join(),
  );
  expect(steps).toEqual(['', '', '', 'tone', '', '', 'n', 'l', '']);
});

test('however an answer is cut into chunks, its fields come out in order', () => {
  const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 5 });
  const around = fc.constantFrom('', '```json\n', 'Here you are:\n', 'In {braces} and { "quotes" }: ');
  fc.assert(
    fc.property(object, around, fc.constantFrom(0, 2), fc.array(fc.nat(200), { maxLength: 20 }), (value, before, indent, cuts) => {
      const text = `${before}${JSON.stringify(value, null, indent)}\n\`\`\``;
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((left, right) => left - right), text.length];
      const chunks = places.slice(1).map((place, index) => text.slice(places[index], place));
      expect(read(chunks)).toEqual(Object.entries(JSON.parse(JSON.stringify(value))));
    }),
    { numRuns: 300 },
  );
});

describe('it gives up at the first slip', () => {
  test.each<[string, [string, unknown][]]>([
    ['{"a": 1, b: 2, "c": 3}', [['a', 1]]],
    ['{"a": 1 "b": 2}', [['a', 1]]],
    ['{"a": NaN, "b": 2}', []],
    ['{"a": "x\ny", "b": 2}', []],
    ['{"a": 1} {"b": 2}', [['a', 1]]],
    ['{"a": 1', []],
    ['[1, 2]', []],
    [`{"a": ${'['.repeat(1000)}${']'.repeat(1000)}}`, []],
  ])('%s', (text, expected) => expect(read([text])).toEqual(expected));
});

test('ten megabytes in small chunks take little time', () => {
  const text = JSON.stringify({ long: 'x"\\'.repeat(2_000_000), list: Array.from({ length: 300_000 }, () => 'a') });
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += 20) chunks.push(text.slice(at, at + 20));
  const start = performance.now();
  expect(read(chunks).map(([name]) => name)).toEqual(['long', 'list']);
  expect(performance.now() - start).toBeLessThan(20_000);
}, 60_000);
