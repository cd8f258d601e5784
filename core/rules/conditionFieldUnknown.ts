import type { RelatedPlace } from '../finding.js';
import { didYouMean, nearestNames } from '../names.js';
import { listed, quoted } from '../words.js';
import { faultsOf, needsConditionTools } from './facts/conditionFaults.js';
import { type Contract, schemaPlace } from './facts/routingProofs.js';
import type { Rule } from './rule.js';

/** A condition that reads a field which the task's effective output schema lacks. */
export const conditionFieldUnknown: Rule = {
  code: 'condition-field-unknown',
  severity: 'error',
  kinds: ['orchestration', 'agent', 'persona'],
  on: 'value',
  needsSchemas: needsConditionTools,
  check(file, context, report) {
    for (const { fault, pointer, what, task, contract } of faultsOf(file, context, 'field-unknown')) {
      const { path, missing, depth, known } = fault;
      const segments = path.split('.');
      const around = segments.slice(0, depth);
      const start = depth === 0 ? 0 : around.join('.').length + 1;
      const nearest = nearestNames(missing, known);
      const where =
        depth === 0 ? `The output of the ${what} ${quoted(task)}` : `${quoted(around.join('.'))} of the ${what} ${quoted(task)}`;
      const pathTo = (name: string) => [...around, name, ...segments.slice(depth + 1)].join('.');
      const fields = known.length === 0 ? '' : ` It has ${listed(known)}.`;
      report({
        pointer,
        within: { start, end: start + missing.length },
        ...(contract && { related: [placeIn(contract, around)] }),
        message: `${where} ${contract?.isText ? 'is the text of an answer and ' : ''}has no field ${quoted(missing)}.${contract?.isText ? ' Give the agent an output_schema that has it.' : nearest.length > 0 ? didYouMean(nearest) : fields}`,
        data: {
          path,
          missing,
          ...(contract?.isText && { text: task }),
          nearest: nearest.map(pathTo),
          ...(nearest.length === 0 && { others: known.map(pathTo) }),
        },
      });
    }
  },
};

function placeIn(contract: Contract, around: readonly string[]): RelatedPlace {
  const { file, pointer, isText } = contract;
  return isText ? { file, pointer, message: 'This agent answers in text.' } : schemaPlace(contract, around, 'The fields are listed here.');
}
