import { quoted } from '../words.js';
import type { Rule } from './rule.js';

/** A persona that no agent, task or system file names. Silent until every file of the project has been read. */
export const unusedPersona: Rule = {
  code: 'unused-persona',
  severity: 'hint',
  kinds: ['persona'],
  on: 'value',
  check({ identity, path }, { project }, report) {
    if (!project.complete || project.referencesTo('persona', identity.id).some((reference) => reference.file !== path)) return;
    report({ pointer: '', message: `No agent and no task uses the persona ${quoted(identity.id)}.`, data: { id: identity.id } });
  },
};
