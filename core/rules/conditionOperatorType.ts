import { operators } from '../generated/operators.js';
import { quoted } from '../words.js';
import { eitherType, faultsOf, needsConditionTools } from './facts/conditionFaults.js';
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
      const { operator } = fault;
      if (fault.type === 'value-type') {
        const { value, expects } = fault;
        const actual = value === undefined ? 'which is missing here' : `not ${quoted(value)}`;
        report({
          pointer,
          message: `${operator} compares with ${eitherType(expects)}: give one as value, ${actual}.`,
          data: { operator, expects },
        });
        continue;
      }
      const { types } = fault;
      const nearest = operators
        .filter(({ takes, suits }) => types.every((type) => (suits ?? takes).includes(type)))
        .map(({ name }) => name);
      report({
        pointer,
        ...(contract && { related: [schemaPlace(contract, path.split('.'), 'The type of the field is given here.')] }),
        message: `${operator} never matches ${quoted(path)} of the ${what} ${quoted(task)}, which is ${eitherType(types)}. These do: ${nearest.join(', ')}.`,
        data: { operator, types, nearest },
      });
    }
  },
};
