import { isObject } from '../json.js';
import { nestedInDefaults, nestedPersona } from '../snapshot/nestedPersona.js';
import type { Rule } from './rule.js';

/** A persona that names a persona: itself, another, or in a circle. No persona is layered under another, so a run refuses it. */
export const personaNested: Rule = {
  code: 'persona-nested',
  severity: 'error',
  kinds: ['persona', 'system'],
  on: 'value',
  check(file, { project }, report) {
    const { path, identity, value } = file;
    if (!isObject(value)) return;
    const { persona_defaults: defaults } = value;
    const inDefaults = () => (isObject(defaults) ? nestedInDefaults({ path, value: defaults }) : undefined);
    const nested = identity.kind === 'persona' ? nestedPersona(identity.id, { path, value }, project) : inDefaults();
    // A value that is not a name is reported by the schema, and one finding is enough.
    if (nested !== undefined && !file.schemaErrors.some(({ pointer }) => pointer === nested.pointer)) report(nested);
  },
};
