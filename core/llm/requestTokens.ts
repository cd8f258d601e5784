import { countMessageTokens, type TokenCount, type TokenCounter } from './countTokens.js';
import type { LlmRequest } from './types.js';

/**
 * Tokens of a whole request without its response format, counted the same wherever no provider has told them: before a run, of a simulated one, and
 * of a call that was broken off. Not exact where there are tools, which vendors write in forms of their own.
 */
export function countRequestTokens(
  counter: TokenCounter,
  { model, messages, tools = [] }: Pick<LlmRequest, 'model' | 'messages' | 'tools'>,
): TokenCount {
  const { tokens, exact } = countMessageTokens(counter, model, messages);
  if (tools.length === 0) return { tokens, exact };
  return { tokens: tokens + counter.count(model, JSON.stringify(tools)).tokens, exact: false };
}
