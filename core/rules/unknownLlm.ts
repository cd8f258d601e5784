import { referenceRule } from './referenceRule.js';

/** An `llm_config_id`, or a section of system.json or of an environment, that names no llm profile. */
export const unknownLlm = referenceRule({
  code: 'unknown-llm',
  kind: 'llm',
  kinds: ['agent', 'persona', 'system', 'orchestration'],
  what: 'llm profile',
});
