import { isObject, type JsonObject } from '../json.js';
import { quoted } from '../words.js';
import { findField, inheritancePointer } from './facts/agentContract.js';
import { findContractChanges } from './facts/contractChanges.js';
import type { Rule } from './rule.js';

/**
 * The output schema, enums or input keys changed incompatibly in a version that already exists at the git base. Callers of that
 * version rely on it: an incompatible contract needs a new version.
 */
export const schemaChangedInPlace: Rule = {
  code: 'schema-changed-in-place',
  severity: 'error',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    const base = context.base(file);
    if (base === undefined || !isObject(file.value)) return;
    const now = file.value;
    // A version renamed in the file is about to move to a new path.
    if (base.version !== now.version) return;
    const version = quoted(now.version ?? file.identity.version);
    const schema = findField(file, context, 'output_schema');

    for (const found of findContractChanges(base, { ...comparable(base, now), output_schema: schema?.value })) {
      const { effect, part, change, field, pointer, target, data } = found;
      // What other forms mean is left to people to judge; a base without a field may have inherited it.
      if (effect !== 'breaking' && change !== 'alternatives') continue;
      if (change === 'schema-added' || (part === 'input_keys' && !Array.isArray(now.input_keys))) continue;
      const isInherited = part === 'output_schema' && schema !== undefined && !schema.isOwn;
      const at = part === 'output_schema' && change === 'schema-removed' && !Object.hasOwn(now, part) ? '' : `/${part}${pointer}`;
      report({
        ...(isInherited ? { pointer: inheritancePointer(file, context, schema) } : { pointer: at, target }),
        message: `${found.message} Create a new version instead of changing ${version}.`,
        data: { change, ...(change !== 'schema-removed' && { field }), ...data },
      });
    }
  },
};

/** Fields that either side lacks may be inherited, so they are compared only where both files have them. */
function comparable(base: JsonObject, now: JsonObject): JsonObject {
  const { input_schema, enums, defaults, input_keys } = now;
  return {
    ...(input_keys !== undefined && { input_keys }),
    ...(enums !== undefined && { enums }),
    input_schema: isObject(base.input_schema) && isObject(input_schema) ? input_schema : (base.input_schema ?? null),
    defaults: isObject(base.defaults) && isObject(defaults) ? defaults : (base.defaults ?? null),
  };
}
