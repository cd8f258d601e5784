import { brotliDecompressSync } from 'node:zlib';

/** In few tokens, which are therefore packed as JSON, as bytes are. */
export const separator = '\u0001';

const inflate = (packed) => brotliDecompressSync(Buffer.from(packed, 'base64'));

/** The tokens that `packTokens` has packed. */
export function unpackTokens({ texts, places }, known = []) {
  const own = inflate(texts).toString().split(separator);
  for (const [index, token] of JSON.parse(own.pop())) own[index] = token;
  if (places === '') return own;
  const indexes = inflate(places);
  let next = 0;
  return Array.from({ length: indexes.length / 4 }, (_, rank) => {
    const place = indexes.readUInt32LE(4 * rank);
    return place === 0 ? own[next++] : known[place - 1];
  });
}
