import { loadTokenCounter, type TokenCounter } from './countTokens.js';

/** Tokens of a text by the model's own tokenizer; undefined while that is not loaded, or where the text cannot be counted exactly. */
export type CountExactly = (model: string, text: string) => number | undefined;

/** Counts with the tokenizer of one more model, which takes 50 to 170 ms and about 40 MB. Texts counted before are not counted again. */
export async function withTokenizerOf(model: string, before?: CountExactly): Promise<CountExactly> {
  const count = countParts(await loadTokenCounter([model]));
  return (other, text) => before?.(other, text) ?? count(other, text);
}

/** Whether the text continues beyond the start or end of a stretch. */
export interface OpenEnds {
  readonly start: boolean;
  readonly end: boolean;
}

/** The fewest tokens a stretch adds to the whole text, leaving out what may merge with its surroundings into one token. */
export function countWithin(count: CountExactly, model: string, stretch: string, open: OpenEnds): number | undefined {
  const boundaries = open.start || open.end ? [...stretch.matchAll(boundary)].map(({ index }) => index) : [];
  const start = open.start ? boundaries[0] : 0;
  const end = open.end ? boundaries.at(-1) : stretch.length;
  return start === undefined || end === undefined ? 0 : count(model, stretch.slice(start, end));
}

/** Where no token crosses: before a word that follows a line end or a single space. */
const boundary = /(?<=\n)(?=\p{L})|(?<=\S)(?= \p{L})/gu;
/** Boundaries between lines and between sentences. */
const partStart = /(?<=\n)(?=\p{L})|(?<=[.!?])(?= \p{L})/u;

/** Counts sentence by sentence, so that while a text is typed only one sentence is counted again. */
function countParts(counter: TokenCounter): CountExactly {
  const counts = new Map<string, number | undefined>();
  let size = 0;
  return (model, text) => {
    let tokens = 0;
    for (const part of text.split(partStart)) {
      const key = `${model}\n${part}`;
      let counted = counts.get(key);
      if (counted === undefined && !counts.has(key)) {
        const { tokens: partTokens, exact } = counter.count(model, part);
        counted = exact ? partTokens : undefined;
        size += part.length;
        if (size > mostKept) {
          counts.clear();
          size = part.length;
        }
        counts.set(key, counted);
      }
      if (counted === undefined) return undefined;
      tokens += counted;
    }
    return tokens;
  };
}

/** In UTF-16 units. A long sentence would be counted again after each key. */
const mostKept = 4_000_000;
