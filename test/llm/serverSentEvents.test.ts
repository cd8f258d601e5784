import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventParser, type ServerSentEvent } from '../../core/llm/serverSentEvents.js';

const bytes = (text: string) => new TextEncoder().encode(text);

function parse(text: string): readonly ServerSentEvent[] {
  const parser = createEventParser();
  return [...parser.push(bytes(text)), ...parser.end()];
}

const message = (data: string): ServerSentEvent => ({ event: 'message', data });

test.each<[string, string, ServerSentEvent[]]>([
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
])('a stream with %s', (_, text, expected) => {
  expect(parse(text)).toEqual(expected);
});

test('gives the same events wherever it is cut, inside characters and line ends too', () => {
  const line = fc.oneof(
    fc.constantFrom('data: grüße 😀', 'data: {"x":"é"}', ': comment', 'event: tick', 'data:', ''),
    fc.string({ unit: 'binary' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
  );
  const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 20 }).map((lines) => lines.flat().join(''));
  fc.assert(
    fc.property(stream, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (text, sizes) => {
      const all = bytes(text);
      const parser = createEventParser();
      const events: ServerSentEvent[] = [];
      for (let start = 0; start < all.length; ) {
        const size = sizes.next().value as number;
        events.push(...parser.push(all.subarray(start, start + size)));
        start += size;
      }
      events.push(...parser.end());
      expect(events).toEqual(parse(text));
    }),
  );
});

test('an event that never ends is an error', () => {
  const parser = createEventParser(1000);
  expect(() => {
    for (let round = 0; round < 20; round++) parser.push(bytes('data: '.padEnd(100, 'x')));
  }).toThrow('longer than 1000 characters');
  const lines = createEventParser(1000);
  expect(() => {
    for (let round = 0; round < 20; round++) lines.push(bytes(`data: ${'x'.repeat(94)}\n`));
  }).toThrow('longer than 1000 characters');
});

test('ten megabytes in one event take a moment, in small pieces too', () => {
  const parser = createEventParser();
  const piece = bytes('x'.repeat(1000));
  parser.push(bytes('data: '));
  const start = performance.now();
  for (let round = 0; round < 10_000; round++) parser.push(piece);
  const [event] = parser.push(bytes('\n\n'));
  expect(event?.data.length).toBe(10_000_000);
  expect(performance.now() - start).toBeLessThan(15_000);
});
