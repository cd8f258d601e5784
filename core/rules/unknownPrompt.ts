import { referenceRule } from './referenceRule.js';

/** A prompt, or a version of a prompt, that the prompt store does not have. */
export const unknownPrompt = referenceRule({
  code: 'unknown-prompt',
  kind: 'prompt',
  kinds: ['agent', 'persona', 'system', 'orchestration'],
  what: 'prompt',
});
