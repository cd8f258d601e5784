import { countMessageTokens, type TokenCount, type TokenCounter } from './countTokens.js';
import type { LlmRequest } from './types.js';

/**
 * Tokens of a whole request without its response format, counted alike wherever no provider has reported them: before a run, for a simulated run, and
 * for an interrupted call. Not exact where there are tools, which vendors encode in their own ways.
 */
export function countRequestTokens(
  counter: TokenCounter,
  { model, messages, tools = [] }: Pick<LlmRequest, 'model' | 'messages' | 'tools'>,
): TokenCount {
  const { tokens, exact } = countMessageTokens(counter, model, messages);
  if (tools.length === 0) return { tokens, exact };
  return { tokens: tokens + counter.count(model, JSON.stringify(tools)).tokens, exact: false };
}
