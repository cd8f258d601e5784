/**
 * Splits bytes into lines of UTF-8 text, without line breaks. A line longer than `longest` bytes is skipped and reported once; a last line without
 * a line break is yielded too.
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>, longest: number, onTooLong: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (): string | undefined => {
    const isTooLong = length > longest;
    const text = isTooLong ? undefined : decoder.decode(joined(parts, length));
    parts = [];
    length = 0;
    return text?.endsWith('\r') ? text.slice(0, -1) : text;
  };
  const add = (part: Uint8Array) => {
    const fitted = length <= longest;
    length += part.length;
    if (length <= longest) parts.push(part);
    else {
      parts = [];
      if (fitted) onTooLong();
    }
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      const line = take();
      if (line !== undefined) yield line;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  if (length === 0) return;
  const last = take();
  if (last !== undefined) yield last;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
