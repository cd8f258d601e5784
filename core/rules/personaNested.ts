import { isObject } from '../json.js';
import { nestedInDefaults, nestedPersona } from '../snapshot/nestedPersona.js';
import type { Rule } from './rule.js';

/** A persona that names a persona: itself, another, or in a circle. No persona is layered under a persona, so a run refuses it. */
export const personaNested: Rule = {
  code: 'persona-nested',
  severity: 'error',
  kinds: ['persona', 'system'],
  on: 'value',
  check({ path, identity, value }, { project }, report) {
    if (!isObject(value)) return;
    if (identity.kind === 'persona') {
      const found = nestedPersona(identity.id, { path, value }, project);
      if (found) report(found);
      return;
    }
    const { persona_defaults: defaults } = value;
    const found = isObject(defaults) ? nestedInDefaults({ path, value: defaults }) : undefined;
    if (found) report(found);
  },
};
