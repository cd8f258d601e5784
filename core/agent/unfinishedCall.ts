import { BudgetExceededError, LlmError, type LlmFailureReason, ReplayMismatchError } from '../errors.js';
import { loadTokenCounter } from '../llm/countTokens.js';
import { countRequestTokens } from '../llm/requestTokens.js';
import { noUsage } from '../llm/tokenUsage.js';
import type { LlmRequest, TokenUsage } from '../llm/types.js';

/** A model call that was begun, and the texts and thoughts that have arrived of its answer. */
export interface UnfinishedCall {
  readonly request: LlmRequest;
  received: string;
}

/** Failures of requests that no model has worked on. */
const unused: ReadonlySet<LlmFailureReason> = new Set([
  'no-provider',
  'no-key',
  'auth',
  'not-found',
  'rate-limit',
  'quota',
  'context-length',
  'bad-request',
]);

/** Whether a call that failed so may have used tokens that its provider did not tell. */
export function mayHaveUsed(cause: unknown): boolean {
  if (cause instanceof BudgetExceededError || cause instanceof ReplayMismatchError) return false;
  return !(cause instanceof LlmError && unused.has(cause.reason));
}

/**
 * The least that a call can have used: the request, which the model has read when it begins to answer, and what has arrived. Nothing while nothing has
 * arrived. Counted by us, since providers report the usage at the end of an answer.
 */
export async function leastUsage({ request, received }: UnfinishedCall): Promise<TokenUsage> {
  if (received === '') return noUsage;
  const counter = await loadTokenCounter([request.model]);
  const prompt_tokens = countRequestTokens(counter, request).tokens;
  const completion_tokens = counter.count(request.model, received).tokens;
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, cached_tokens: 0 };
}
