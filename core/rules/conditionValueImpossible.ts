import { quoted } from '../words.js';
import { faultsOf, needsConditionTools, valueAdvice } from './facts/conditionFaults.js';
import { schemaPlace } from './facts/routingProofs.js';
import type { Rule } from './rule.js';

/** A comparison with a value that the field never has: one that its enum lacks, or that lies outside its type or bounds. */
export const conditionValueImpossible: Rule = {
  code: 'condition-value-impossible',
  severity: 'error',
  kinds: ['orchestration', 'agent', 'persona'],
  on: 'value',
  needsSchemas: needsConditionTools,
  check(file, context, report) {
    for (const { fault, pointer, what, task, path, contract } of faultsOf(file, context, 'value-impossible')) {
      const { value } = fault;
      const { advice, data } = valueAdvice(value, fault.allowed);
      report({
        pointer,
        ...(contract && { related: [schemaPlace(contract, path.split('.'), 'The values of the field are given here.')] }),
        message: `${quoted(path)} of the ${what} ${quoted(task)} never matches ${quoted(value)}: its schema has no such value.${advice}`,
        data,
      });
    }
  },
};
