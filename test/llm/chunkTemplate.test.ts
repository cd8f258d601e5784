import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { createChunkTemplate } from '../../core/llm/providers/openai/chunkTemplate.js';

const chunk = (content: unknown, more: object = {}, delta: object = {}) => ({
  id: 'chatcmpl-1',
  model: 'm',
  choices: [{ index: 0, delta: { content, ...delta }, logprobs: null, finish_reason: null }],
  usage: null,
  ...more,
});

/** Reads each chunk by the template, or parses and learns it, and says which. */
function read(lines: readonly string[]): { readonly text: unknown; readonly way: 'known' | 'parsed' }[] {
  const template = createChunkTemplate();
  return lines.map((data) => {
    const known = template.textOf(data);
    if (known !== undefined) return { text: known, way: 'known' };
    const parsed = JSON.parse(data) as JsonObject;
    template.learn(data, parsed);
    return { text: (parsed as ReturnType<typeof chunk>).choices[0]?.delta.content, way: 'parsed' };
  });
}

const ways = (values: readonly object[], spaces?: number) =>
  read(values.map((value) => JSON.stringify(value, null, spaces))).map(({ way }) => way);

describe('a chunk is read without parsing', () => {
  test('when it differs from an earlier one in its text alone', () => {
    expect(ways([chunk('a'), chunk('bc'), chunk('größer 😀')])).toEqual(['parsed', 'known', 'known']);
  });

  test('with a space after the colon as well', () => {
    const spaced = (text: string) => JSON.stringify(chunk(text)).replaceAll('":', '": ');
    expect(read([spaced('a'), spaced('b')]).map(({ way }) => way)).toEqual(['parsed', 'known']);
  });

  test.each<[string, object[]]>([
    ['its text needs an escape', [chunk('a'), chunk('"'), chunk('\\'), chunk('\n')]],
    ['another field differs', [chunk('a'), chunk('b', { id: 'other' })]],
    ['it ends the answer', [chunk('a'), { ...chunk('b'), choices: [{ index: 0, delta: { content: 'b' }, finish_reason: 'stop' }] }]],
    ['it brings usage', [chunk('a', { usage: { prompt_tokens: 1 } }), chunk('b', { usage: { prompt_tokens: 1 } })]],
    ['it refuses', [chunk('a', {}, { refusal: 'no' }), chunk('b', {}, { refusal: 'no' })]],
    ['it is of another choice', [1, 1].map((index) => ({ choices: [{ index, delta: { content: 'a' } }] }))],
    ['content is a key twice', [chunk('a', { content: 'a' }), chunk('b', { content: 'b' })]],
  ])('but not when %s', (_, chunks) => {
    expect(ways(chunks)).not.toContain('known');
  });
});

test('gives up on a stream whose chunks are never alike, and is right all the same', () => {
  const lines = Array.from({ length: 30 }, (_, number) => JSON.stringify(chunk(`w${number}`, { obfuscation: String(number) })));
  const all = read([...lines, JSON.stringify(chunk('x')), JSON.stringify(chunk('y'))]);
  expect(all.map(({ text }) => text)).toEqual([...lines.map((_, number) => `w${number}`), 'x', 'y']);
  expect(all.at(-1)?.way).toBe('parsed');
});

test('reads what parsing reads, whatever the texts', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"}', '","content":"x', '\\"', '\u2028', '\u007f', '\ud800', ''));
  const sent = fc.array(fc.tuple(text, fc.constantFrom({}, { usage: null, content: 'x' }, { a: '"content":"' }, { id: 'other' })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(sent, (chunks) => {
      const lines = chunks.map(([content, more]) => JSON.stringify(chunk(content, more)));
      expect(read(lines).map((each) => each.text)).toEqual(
        lines.map((line) => (JSON.parse(line) as ReturnType<typeof chunk>).choices[0]?.delta.content),
      );
    }),
  );
});
