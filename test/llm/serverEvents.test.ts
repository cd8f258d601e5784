import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readServerEvents, type ServerEvent } from '../../core/llm/providers/serverEvents.js';

const bytes = (text: string) => new TextEncoder().encode(text);

async function read(chunks: Iterable<Uint8Array>, longest?: number): Promise<ServerEvent[]> {
  async function* body() {
    yield* chunks;
  }
  const events: ServerEvent[] = [];
  for await (const batch of readServerEvents(body(), longest))
    for (const { event, data } of batch) events.push({ ...(event !== undefined && { event }), data });
  return events;
}

const message = (data: string): ServerEvent => ({ data });

test.each<[string, string, ServerEvent[]]>([
  ['LF', 'data: a\n\ndata: b\n\n', [message('a'), message('b')]],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [message('a'), message('b')]],
  ['CR', 'data: a\r\rdata: b\r\r', [message('a'), message('b')]],
  ['mixed ends', 'data: a\r\n\ndata: b\r\r\n', [message('a'), message('b')]],
  ['several data lines', 'data: a\ndata:\ndata:  b\n\n', [message('a\n\n b')]],
  ['comments and unknown fields', ': hi\nid: 1\nretry: 5\nfoo: x\ndata: a\n\n', [message('a')]],
  ['an event name', 'event: error\ndata: {}\n\ndata: next\n\n', [{ event: 'error', data: '{}' }, message('next')]],
  ['a field without a colon', 'data\n\n', [message('')]],
  ['an event without data', 'event: ping\n\n', []],
  ['a BOM', '\uFEFFdata: a\n\n', [message('a')]],
  ['no last empty line', 'data: a\n\ndata: b\n', [message('a'), message('b')]],
  ['no last line end', 'data: [DONE]', [message('[DONE]')]],
  ['a colon in the value', 'data: {"a":"b: c"}\n\n', [message('{"a":"b: c"}')]],
  ['nothing', '', []],
])('a stream with %s', async (_, text, expected) => {
  expect(await read([bytes(text)])).toEqual(expected);
});

test('gives the same events wherever it is cut, inside characters and line ends too', async () => {
  const line = fc.oneof(
    fc.constantFrom('data: grüße 😀', 'data: {"x":"é"}', ': comment', 'event: tick', 'data:', ''),
    fc.string({ unit: 'binary' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
  );
  const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 20 }).map((lines) => lines.flat().join(''));
  await fc.assert(
    fc.asyncProperty(stream, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), async (text, sizes) => {
      const all = bytes(text);
      const pieces: Uint8Array[] = [];
      for (let start = 0; start < all.length; ) {
        const size = sizes.next().value as number;
        pieces.push(all.subarray(start, start + size));
        start += size;
      }
      expect(await read(pieces)).toEqual(await read([all]));
    }),
  );
});

test.each([
  ['in one line', 'x'.repeat(100)],
  ['in many lines', `data: ${'x'.repeat(94)}\n`],
])('an event that never ends is an error, %s', async (_, piece) => {
  const chunks = Array.from({ length: 20 }, () => bytes(piece));
  await expect(read([bytes('data: '), ...chunks], 1000)).rejects.toThrow('longer than 1000 characters');
});

test('ten megabytes in one event take a moment, in small pieces too', async () => {
  const start = performance.now();
  const pieces = Array.from({ length: 10_000 }, () => bytes('x'.repeat(1000)));
  const [event] = await read([bytes('data: '), ...pieces, bytes('\n\n')]);
  expect(event?.data.length).toBe(10_000_000);
  expect(performance.now() - start).toBeLessThan(15_000);
});
