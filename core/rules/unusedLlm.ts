import type { Rule } from './rule.js';

/**
 * An llm profile that no agent, persona or system file names. A project's only profile is used by every agent without a model and a profile.
 * Silent until every file of the project has been read. A call may still choose a profile (`--llm`), so this is a hint.
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
