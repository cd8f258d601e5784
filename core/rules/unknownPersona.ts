import { referenceRule } from './referenceRule.js';

/** A `persona_key` that names no persona. */
export const unknownPersona = referenceRule({
  code: 'unknown-persona',
  kind: 'persona',
  kinds: ['agent', 'persona', 'system', 'orchestration'],
  what: 'persona',
});
