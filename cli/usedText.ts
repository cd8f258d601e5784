import { usdText } from '../core/amounts.js';
import { countText, usageText } from '../core/llm/tokenText.js';
import type { StoryEnd } from '../core/run/story/types.js';

/** What a run used and cost, as its end or its summary says. */
export type Used = Pick<StoryEnd, 'total_tokens' | 'tokens_incomplete' | 'cost' | 'simulated' | 'replayed' | 'recorded_cost'>;

/** `180 in, 24 out tokens`; of a run that broke off `at least 180 in, 1,240 out tokens`. */
export function usageWords({ usage, total_tokens, tokens_estimated, tokens_incomplete, simulated }: StoryEnd): string {
  if (tokens_incomplete && total_tokens === 0) return 'tokens unknown';
  const { prompt_tokens, completion_tokens } = usage;
  const text = usageText({ ...usage, prompt_tokens: prompt_tokens ?? 0, completion_tokens: completion_tokens ?? 0 });
  return `${tokens_incomplete ? 'at least ' : ''}${text} tokens${simulated || tokens_estimated ? ' (estimated)' : ''}`;
}

/** `1,420`, `at least 1,420`, `unknown`. */
export function totalText({ total_tokens, tokens_incomplete }: Used): string {
  if (total_tokens === null || (tokens_incomplete && total_tokens === 0)) return 'unknown';
  return `${tokens_incomplete ? 'at least ' : ''}${countText(total_tokens)}`;
}

/** `204 tokens`, `at least 1,420 tokens`, `tokens unknown`. */
export function totalWords(used: Used): string {
  const text = totalText(used);
  if (text === 'unknown') return 'tokens unknown';
  return `${text} ${used.total_tokens === 1 ? 'token' : 'tokens'}`;
}

/** `0.000452 USD`, `at least 0.0012 USD`, `unknown`, `simulated`, `0 USD, replayed (recorded at 0.000452 USD)`. */
export function costText({ cost, simulated, replayed, recorded_cost, total_tokens, tokens_incomplete }: Used): string {
  if (simulated) return 'simulated';
  // A fork has paid for a part.
  if (replayed && cost !== null && cost > 0)
    return `${usdText(cost)}, the rest recorded (at ${recorded_cost === null ? 'an unknown cost' : usdText(recorded_cost)})`;
  if (replayed) return `0 USD, replayed (recorded at ${recorded_cost === null ? 'an unknown cost' : usdText(recorded_cost)})`;
  if (cost === null || (tokens_incomplete && total_tokens === 0)) return 'unknown';
  return `${tokens_incomplete ? 'at least ' : ''}${usdText(cost)}`;
}

/** The same where nothing else says that it is the cost. */
export function costWords(used: Used): string {
  const text = costText(used);
  return text === 'unknown' ? 'cost unknown' : text;
}
