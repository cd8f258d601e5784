import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines } from '../../../core/tools/mcp/lines.js';

async function linesOf(chunks: readonly Uint8Array[], longest: number) {
  let tooLong = 0;
  async function* bytes() {
    yield* chunks;
  }
  const lines: string[] = [];
  const count = () => {
    tooLong += 1;
  };
  for await (const line of readLines(bytes(), longest, count)) lines.push(line);
  return { lines, tooLong };
}

test('lines are the same however the bytes come', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(7)), fc.boolean(), async (parts, cuts, hasEnd) => {
      const texts = parts.map((text) => text.replace(/[\r\n]/g, ''));
      const whole = new TextEncoder().encode(texts.join('\n') + (hasEnd && texts.length > 0 ? '\r\n' : ''));
      const chunks: Uint8Array[] = [];
      let at = 0;
      for (const cut of cuts) {
        chunks.push(whole.subarray(at, at + cut));
        at += cut;
      }
      chunks.push(whole.subarray(Math.min(at, whole.length)));
      const expected = hasEnd || texts.at(-1) !== '' ? texts : texts.slice(0, -1);
      // A decoder drops a mark of byte order at the beginning of a line.
      expect((await linesOf(chunks, 1000)).lines).toEqual(expected.map((text) => text.replace(/^\ufeff/, '')));
    }),
  ));

test('a line that is too long is left out and reported once, and the next one is read', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(await linesOf([bytes('12345\n123'), bytes('456'), bytes('789\n12\n123456')], 5)).toEqual({ lines: ['12345', '12'], tooLong: 2 });
});
