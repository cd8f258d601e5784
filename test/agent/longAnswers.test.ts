import { expect, test } from 'vitest';
import { runAgent } from '../../core/agent/runAgent.js';
import { scriptedModel } from '../support/scriptedModel.js';
import { sampleProject } from './sampleProject.js';

/** How many characters a method of a text reads. */
type CountOf = (text: string, result: unknown, from: unknown) => number;
const all: CountOf = ({ length }) => length;
const upTo: CountOf = ({ length }, result, from = 0) => (result === -1 ? length : Number(result) + 1) - Number(from);
const backTo: CountOf = ({ length }, result, from = length) => Number(from) - Number(result);
const copied: CountOf = (_, result) => String(result).length;
const readers: { readonly [name: string]: CountOf } = {
  ...{ slice: copied, substring: copied, indexOf: upTo, lastIndexOf: backTo },
  ...{ includes: all, trim: all, trimStart: all, toLowerCase: all, replaceAll: all, split: all },
};

/** How many characters methods of texts and regular expressions read while `work` is done. */
async function charactersRead(work: () => Promise<void>): Promise<number> {
  const text = String.prototype as unknown as Record<string, (this: string, ...args: unknown[]) => unknown>;
  const { exec } = RegExp.prototype;
  const originals = Object.keys(readers).map((name) => [name, text[name]!] as const);
  let count = 0;
  for (const [name, original] of originals)
    text[name] = function (...args) {
      const result = original.apply(this, args);
      count += readers[name]!(this, result, args[1]);
      return result;
    };
  RegExp.prototype.exec = function (whole) {
    const from = this.lastIndex;
    const match = exec.call(this, whole);
    count += (match ? match.index + match[0].length : whole.length) - from;
    return match;
  };
  try {
    await work();
  } finally {
    for (const [name, original] of originals) text[name] = original;
    RegExp.prototype.exec = exec;
  }
  return count;
}

async function readFor(piece: string, pieces: number): Promise<number> {
  const { factory, ports } = sampleProject();
  const agent = await factory.load('Labels', 'v1');
  const chunks = Array.from({ length: pieces }, () => piece);
  return charactersRead(async () => {
    for await (const event of runAgent({ agent, payload: { title: 'x' }, llm: scriptedModel({ chunks }), ports }))
      if (event.final) expect(event.result.text).toHaveLength(piece.length * pieces);
  });
}

test.each([
  ['words', 'lorem ipsum dolor 12345 sit amet. '],
  ['one word that may be a secret', 'QUJDRA7zkq9xQUJDRA7zkq9x'],
  ['colons without quotes', 'Une phrase : sans guillemets. '],
  ['lines', 'Lorem: ipsum\n'],
  ['JSON', '{"label": "bug", "reason": "it crashes"}, '],
])('work on an answer grows with its length, not with its square: %s', async (_, piece) => {
  const [half, whole] = [await readFor(piece, 1000), await readFor(piece, 2000)];
  expect(whole / half).toBeLessThan(2.2);
});
