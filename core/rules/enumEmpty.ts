import { isObject, pointerOf } from '../json.js';
import { findAgentContract } from './facts/agentContract.js';
import type { Rule } from './rule.js';

/**
 * An empty list in `enums` offers nothing to choose. Silent where another rule reports more: the schema has values for the field
 * (enums-match-schema), or no such field (enum-missing).
 */
export const enumEmpty: Rule = {
  code: 'enum-empty',
  severity: 'warning',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, context, report) {
    if (!isObject(file.value) || !isObject(file.value.enums)) return;
    const { enums } = file.value;
    for (const field in enums) {
      const values = enums[field];
      if (!Array.isArray(values) || values.length > 0) continue;
      const agentContract = findAgentContract(file, context);
      if (agentContract !== undefined) {
        const property = agentContract.byName.get(field);
        if (property === undefined || property.choices !== undefined) continue;
      }
      report({
        pointer: pointerOf('enums', field),
        message: `enums lists no value for ${JSON.stringify(field)}: there is nothing to choose. Add values, or remove the entry.`,
        data: { field },
      });
    }
  },
};
