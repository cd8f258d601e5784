import { hasKnownTokenizer } from './countTokens.js';

/**
 * A lower bound of a text's tokens, without counting them. OpenAI's tokenizers never put letters or digits of two words into
 * one token, so their models need one for each word that has any. Of other tokenizers only this is assumed: no token is longer
 * than 128 characters, the longest of OpenAI's own. Linear in the length of the text.
 */
export function fewestTokens(model: string, text: string): number {
  const byLength = Math.ceil(text.length / longestToken);
  return hasKnownTokenizer(model) ? Math.max(byLength, countWords(text)) : byLength;
}

/** An upper bound of the tokens of any text of this length (UTF-16 units): each token covers at least one UTF-8 byte. */
export function mostTokens(length: number): number {
  return length * 3;
}

/** The same for an actual text: its length in UTF-8. */
export function mostTokensOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

const longestToken = 128;

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
