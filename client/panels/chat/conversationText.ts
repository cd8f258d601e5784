import type { ViewFacts } from '../run/messages.js';
import type { Transcript } from '../run/transcript.js';

/** A conversation as Markdown, to be pasted elsewhere. */
export function conversationText(turns: readonly Pick<Transcript, 'facts' | 'result'>[]): string {
  return turns
    .map(({ facts, result }) => {
      const answer = facts.error === null ? result : `${result}\n\n${facts.error.message}`.trim();
      return `## You\n\n${questionOf(facts)}\n\n## ${facts.agent}\n\n${answer}\n`;
    })
    .join('\n');
}

/** A single text as it is, more than one by their names. */
function questionOf({ input }: Pick<ViewFacts, 'input'>): string {
  const [only] = input;
  if (input.length === 1 && only !== undefined && !only.isJson) return only.text;
  return input.map(({ name, text }) => `${name}: ${text}`).join('\n\n');
}
