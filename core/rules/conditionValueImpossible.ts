import { didYouMean } from '../names.js';
import { listed, quoted } from '../words.js';
import { faultsOf, nearestOf, needsConditionTools } from './facts/conditionFaults.js';
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
      const { value, allowed } = fault;
      const nearest = allowed === undefined ? [] : nearestOf(value, allowed);
      const allowedText = allowed === undefined || allowed.length === 0 ? '' : ` It is ${listed(allowed, 'or')}.`;
      const texts = nearest.filter((candidate) => typeof candidate === 'string');
      const hint = texts.length > 0 ? didYouMean(texts) : allowedText;
      report({
        pointer,
        ...(contract && { related: [schemaPlace(contract, path.split('.'), 'The values of the field are given here.')] }),
        message: `${quoted(path)} of the ${what} ${quoted(task)} never matches ${quoted(value)}: its schema has no such value.${hint}`,
        data: { value, nearest, ...(allowed && { allowed: allowed.slice(0, mostListed) }) },
      });
    }
  },
};

const mostListed = 100;
