import { quoteInexactNumbers } from '../../jsonText/exactNumbers.js';

/**
 * A body in which numbers that would lose precision are quoted, as in messages over stdio. Works line by line, since no number or string of JSON
 * spans lines; in an event stream, only on data lines.
 */
export function exactBody(body: ReadableStream<Uint8Array>, isEventStream: boolean): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const exact = (line: string) => (isEventStream && !line.startsWith('data:') ? line : quoteInexactNumbers(line));
  let parts: string[] = [];
  const transform = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const text = decoder.decode(chunk, { stream: true });
      const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
      if (end > 0) {
        const whole = parts.join('') + text.slice(0, end);
        controller.enqueue(encoder.encode(whole.replace(/[^\r\n]+/g, exact)));
        parts = [];
      }
      if (end < text.length) parts.push(text.slice(end));
    },
    flush(controller) {
      const last = parts.join('') + decoder.decode();
      if (last !== '') controller.enqueue(encoder.encode(exact(last)));
    },
  });
  return body.pipeThrough(transform);
}
