import { isObject, type Json, pointerOf } from '../json.js';
import { didYouMean } from '../names.js';
import { areInheritedTogether, findAgentContract, findField, placeInField, relatedPart } from './facts/agentContract.js';
import type { Rule } from './rule.js';

/** A default for a field that the output schema lacks: usually a misspelling, which leaves the right field without a default. */
export const defaultUnknownField: Rule = {
  code: 'default-unknown-field',
  severity: 'error',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, context, report) {
    const defaults = findField(file, context, 'defaults');
    if (defaults === undefined || !isObject(defaults.value)) return;
    const agentContract = findAgentContract(file, context);
    if (agentContract === undefined || areInheritedTogether(defaults, agentContract.schema)) return;
    const { fields, findNearest } = agentContract;
    if (fields.patterned || welcomesOthers(fields.additional)) return;

    for (const field in defaults.value) {
      if (Object.hasOwn(fields.properties, field)) continue;
      const nearest = findNearest(field);
      report({
        ...placeInField(file, context, defaults, pointerOf(field)),
        ...relatedPart(defaults, pointerOf(field), 'The default is given here.'),
        message: `There is no field ${JSON.stringify(field)} in output_schema to give a default to.${didYouMean(nearest)}`,
        data: { field, nearest },
      });
    }
  },
};

/** Only an explicit `additionalProperties` counts, since most schemas leave it out. */
function welcomesOthers(additional: Json | undefined): boolean {
  return additional === true || isObject(additional);
}
