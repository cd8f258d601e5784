import { isObject, type JsonObject } from '../json.js';
import {
  type AgentContract,
  areInheritedTogether,
  type ContractField,
  findAgentContract,
  findField,
  inheritancePointer,
} from './facts/agentContract.js';
import type { CheckArguments, Rule } from './rule.js';

/** A Chooser picks from lists. Without any list it has nothing to do. Free-text fields beside a list are filled. */
export const chooserNeedsEnums: Rule = {
  code: 'chooser-needs-enums',
  severity: 'error',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, context, report) {
    const mode = findField(file, context, 'mode');
    if (mode?.value !== 'Chooser') return;
    // Without a schema the config is incomplete, which effective-config-incomplete reports.
    const agentContract = findAgentContract(file, context);
    if (agentContract === undefined || areInheritedTogether(mode, agentContract.schema)) return;
    const enums = findField(file, context, 'enums');
    const chooser: Chooser = { file, context, report, mode, agentContract, enums: isObject(enums?.value) ? enums.value : {} };
    if (!hasChoice(chooser)) reportNothingToChoose(chooser);
  },
};

interface Chooser extends CheckArguments {
  readonly mode: ContractField;
  readonly agentContract: AgentContract;
  readonly enums: JsonObject;
}

/** An entry of `enums` counts even where the schema lacks it: enum-missing and enums-match-schema report that. */
function hasChoice({ agentContract, enums }: Chooser): boolean {
  for (const field in enums) if (Array.isArray(enums[field]) && enums[field].length > 0) return true;
  return [...agentContract.byName.values()].some(
    ({ schema, choices }) => choices !== undefined || !agentContract.contract.isResolvable(schema),
  );
}

function reportNothingToChoose({ file, context, report, mode, agentContract: { schema } }: Chooser): void {
  report({
    pointer: mode.isOwn ? '/mode' : schema.isOwn ? schema.pointer : inheritancePointer(file, context, mode),
    ...(mode.isOwn || !schema.isOwn ? {} : { target: 'key' }),
    message:
      'A Chooser picks from lists of values, but no field of output_schema has an enum. Add one, or use the mode Writer or Extractor.',
    data: { reason: 'nothing-to-choose' },
  });
}
