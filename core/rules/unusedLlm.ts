import type { Rule } from './rule.js';

/**
 * An llm profile that no agent, persona or system file names. The only profile there is is used by every agent that names neither model nor profile.
 * Silent until every file of the project has been read. A profile may still be asked for by a call (`--llm`), so this is a hint.
 */
export const unusedLlm: Rule = {
  code: 'unused-llm',
  severity: 'hint',
  kinds: ['llm'],
  on: 'value',
  check({ identity, path }, { project }, report) {
    if (!project.complete || project.referencesTo('llm', identity.id).some((reference) => reference.file !== path)) return;
    report({
      pointer: '/llm_id',
      message: `No agent uses the llm profile ${JSON.stringify(identity.id)}.`,
      data: { id: identity.id },
    });
  },
};
