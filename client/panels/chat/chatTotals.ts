import type { ViewFacts } from '../run/messages.js';
import type { ChatTotals } from './messages.js';

/** What the turns of a conversation have used together. */
export function chatTotals(turns: readonly Pick<ViewFacts, 'status' | 'tokens' | 'cost' | 'simulated'>[]): ChatTotals {
  let prompt = 0;
  let completion = 0;
  let cost = 0;
  let isPriced = turns.length === 0;
  let isWhole = true;
  for (const { status, tokens, cost: own, simulated } of turns) {
    prompt += tokens?.prompt ?? 0;
    completion += tokens?.completion ?? 0;
    cost += own ?? 0;
    if (simulated || own !== null || status === 'running') isPriced = true;
    const isKnown = simulated || status === 'running' || (tokens !== null && !tokens.isIncomplete && own !== null);
    if (!isKnown) isWhole = false;
  }
  return {
    prompt,
    completion,
    cost: isPriced ? cost : null,
    isWhole,
    isSimulated: turns.length > 0 && turns.every(({ simulated }) => simulated),
  };
}
