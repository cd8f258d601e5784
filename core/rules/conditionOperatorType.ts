import { quoted } from '../words.js';
import { faultsOf, needsConditionTools, operatorTypeFinding, valueTypeFinding } from './facts/conditionFaults.js';
import { schemaPlace } from './facts/routingProofs.js';
import type { Rule } from './rule.js';

/** An operator that never matches a field of this type, or that cannot use its `value`. */
export const conditionOperatorType: Rule = {
  code: 'condition-operator-type',
  severity: 'error',
  kinds: ['orchestration', 'agent', 'persona'],
  on: 'value',
  needsSchemas: needsConditionTools,
  check(file, context, report) {
    for (const { fault, pointer, what, task, path, contract } of faultsOf(file, context, 'operator-type', 'value-type')) {
      if (fault.type === 'value-type') {
        report({ pointer, ...valueTypeFinding(fault, 'which is missing here') });
        continue;
      }
      report({
        pointer,
        ...(contract && { related: [schemaPlace(contract, path.split('.'), 'The type of the field is given here.')] }),
        ...operatorTypeFinding(fault, `${quoted(path)} of the ${what} ${quoted(task)}`),
      });
    }
  },
};
