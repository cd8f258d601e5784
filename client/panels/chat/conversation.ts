import type { ViewFacts } from '../run/messages.js';
import type { Transcript } from '../run/transcript.js';
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

/** A conversation as Markdown, to be pasted elsewhere. */
export function conversationText(turns: readonly Pick<Transcript, 'facts' | 'result'>[]): string {
  return turns
    .map(({ facts, result }) => {
      const answer = facts.error === null ? result : `${result}\n\n${facts.error.message}`.trim();
      return `## You\n\n${questionOf(facts)}\n\n## ${facts.agent}\n\n${answer}\n`;
    })
    .join('\n');
}

/** A single text unchanged, several with their names. */
function questionOf({ input }: Pick<ViewFacts, 'input'>): string {
  const [only] = input;
  if (input.length === 1 && only !== undefined && !only.isJson) return only.text;
  return input.map(({ name, text }) => `${name}: ${text}`).join('\n\n');
}
