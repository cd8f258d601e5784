import type { ResultMetadata } from '../core/agent/events.js';
import { countText, usageText } from '../core/llm/tokenText.js';
import { usdText } from '../core/money.js';

/** What a run used and cost, as its result or its summary says. */
export interface Used {
  readonly total_tokens: number | null;
  readonly cost: number | null;
  readonly simulated: boolean;
  /** The numbers are lower bounds. */
  readonly isIncomplete: boolean;
}

export function usedOf({ token_usage, token_usage_incomplete, estimated_cost_usd, simulated }: ResultMetadata): Used {
  return { total_tokens: token_usage.total_tokens, cost: estimated_cost_usd, simulated, isIncomplete: token_usage_incomplete === true };
}

/** `180 in, 24 out tokens`; of a run that broke off `at least 180 in, 1,240 out tokens`. */
export function usageWords({ token_usage, token_usage_estimated, token_usage_incomplete, simulated }: ResultMetadata): string {
  if (token_usage_incomplete && token_usage.total_tokens === 0) return 'tokens unknown';
  const isEstimated = simulated || token_usage_estimated === true;
  return `${token_usage_incomplete ? 'at least ' : ''}${usageText(token_usage)} tokens${isEstimated ? ' (estimated)' : ''}`;
}

/** `1,420`, `at least 1,420`, `unknown`. */
export function totalText({ total_tokens, isIncomplete }: Used): string {
  if (total_tokens === null || (isIncomplete && total_tokens === 0)) return 'unknown';
  return `${isIncomplete ? 'at least ' : ''}${countText(total_tokens)}`;
}

/** `204 tokens`, `at least 1,420 tokens`, `tokens unknown`. */
export function totalWords(used: Used): string {
  const text = totalText(used);
  if (text === 'unknown') return 'tokens unknown';
  return `${text} ${used.total_tokens === 1 ? 'token' : 'tokens'}`;
}

/** `0.000452 USD`, `at least 0.0012 USD`, `unknown`, `simulated`. */
export function costText({ cost, simulated, total_tokens, isIncomplete }: Used): string {
  if (simulated) return 'simulated';
  if (cost === null || (isIncomplete && total_tokens === 0)) return 'unknown';
  return `${isIncomplete ? 'at least ' : ''}${usdText(cost)}`;
}

/** The same where nothing else says that it is the cost. */
export function costWords(used: Used): string {
  const text = costText(used);
  return text === 'unknown' ? 'cost unknown' : text;
}
