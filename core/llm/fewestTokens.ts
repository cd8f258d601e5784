import { hasKnownTokenizer } from './countTokens.js';

/**
 * A number of tokens that a text has at least, without counting them. OpenAI's tokenizers never put letters or digits of two words into
 * one token, so their models need one for each word that has any. Of other tokenizers only this is taken for granted: no token is longer
 * than 128 characters, the longest of OpenAI's own. Linear in the length of the text.
 */
export function fewestTokens(model: string, text: string): number {
  const byLength = Math.ceil(text.length / longestToken);
  return hasKnownTokenizer(model) ? Math.max(byLength, countWords(text)) : byLength;
}

/** A number of tokens that no text of this length (UTF-16 units) exceeds: each token covers one UTF-8 byte at least. */
export function mostTokens(length: number): number {
  return length * 3;
}

/** The same of a text that is there: its length in UTF-8. */
export function mostTokensOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

const longestToken = 128;

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
