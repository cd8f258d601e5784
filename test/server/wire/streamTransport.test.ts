import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StreamTransport } from '../../../server/wire/streamTransport.js';
import { somewhere } from '../../support/somewhere.js';

/** What a transport hands over of bytes that arrive in these chunks. */
function read(chunks: readonly Buffer[]) {
  const input = new PassThrough();
  const messages: unknown[] = [];
  const faults: unknown[] = [];
  new StreamTransport(input, new PassThrough()).listen({
    message: (message) => messages.push(message),
    fault: (fault) => faults.push(fault),
    closed: () => undefined,
  });
  for (const chunk of chunks) input.emit('data', chunk);
  return { messages, faults };
}

function written(message: unknown, header = (length: number) => `Content-Length: ${length}\r\n\r\n`): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(header(body.length)), body]);
}

const headers = [
  (length: number) => `Content-Length: ${length}\r\n\r\n`,
  (length: number) => `content-length:${length}\r\n\r\n`,
  (length: number) => `Content-Length: ${length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`,
  (length: number) => `Content-Type: x\r\nContent-Length: ${length}\r\n\r\n`,
];

const message = fc.record({
  id: fc.nat(),
  text: fc.string({ unit: fc.constantFrom('a', '"', 'ä', '😀', '\r\n\r\n', 'Content-Length: 3\r\n\r\n') }),
});

test('messages are read whole, in order and each once, however their bytes are cut and their headers written', () => {
  const sent = fc.array(fc.tuple(message, fc.nat(headers.length - 1)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(sent, fc.array(somewhere, { maxLength: 8 }), (parts, cuts) => {
      const bytes = Buffer.concat(parts.map(([one, header]) => written(one, headers[header])));
      const places = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((left, right) => left - right), bytes.length];
      const { messages, faults } = read(places.slice(1).map((end, at) => bytes.subarray(places[at], end)));
      expect(messages).toEqual(parts.map(([one]) => one));
      expect(faults).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('a message that is no JSON, or has no length, costs itself only', () => {
  const [one, two] = [written({ id: 1 }), written({ id: 2 })];
  for (const wrong of ['Content-Length: 3\r\n\r\n{a}', 'Content-Length: 0\r\n\r\n', 'Content-Length: \r\n\r\n', 'X: 1\r\n\r\n']) {
    const { messages, faults } = read([Buffer.concat([one, Buffer.from(wrong), two])]);
    expect(messages).toEqual([{ id: 1 }, { id: 2 }]);
    expect(faults).toHaveLength(1);
  }
});
