import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { didYouMean } from '../names.js';
import { listed } from '../words.js';
import {
  type AgentContract,
  areInheritedTogether,
  type ContractField,
  findAgentContract,
  findField,
  inheritancePointer,
  relatedPart,
} from './facts/agentContract.js';
import type { CheckArguments, Rule } from './rule.js';

/**
 * With `enums`, every field with an enum in the output schema needs an entry there, and the reverse: two lists of the same values must
 * agree. Without `enums`, the lists of the schema apply.
 */
export const enumMissing: Rule = {
  code: 'enum-missing',
  severity: 'error',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, context, report) {
    const agentContract = findAgentContract(file, context);
    if (agentContract === undefined) return;
    const enums = findField(file, context, 'enums');
    if (enums === undefined || !isObject(enums.value) || areInheritedTogether(enums, agentContract.schema)) return;
    const checked: Checked = { file, context, report, agentContract, enums, entries: enums.value };
    checkSchemaSide(checked);
    checkEnumsSide(checked);
  },
};

interface Checked extends CheckArguments {
  readonly agentContract: AgentContract;
  readonly enums: ContractField;
  readonly entries: JsonObject;
}

/** Enums of the schema that `enums` lacks. */
function checkSchemaSide({ file, context, report, agentContract, enums, entries }: Checked): void {
  const { schema, byName } = agentContract;
  for (const [field, { pointer, choices }] of byName) {
    if (choices === undefined || Object.hasOwn(entries, field)) continue;
    const values = [...new Set(choices.values)];
    const place = schema.isOwn
      ? { pointer: `${schema.pointer}${pointer}`, target: 'key' as const }
      : enums.isOwn
        ? { pointer: '/enums', target: 'key' as const }
        : { pointer: inheritancePointer(file, context, schema) };
    report({
      ...place,
      message: `enums lacks ${JSON.stringify(field)}, which output_schema limits to ${listed(values, 'or')}.`,
      ...relatedPart(schema, choices.pointer, `output_schema allows ${listed(values)}.`),
      data: { field, missing: 'enums', values },
    });
  }
}

/** Entries of `enums` whose field has no enum in the schema. */
function checkEnumsSide({ file, context, report, agentContract, enums, entries }: Checked): void {
  const { schema, contract } = agentContract;
  for (const field in entries) {
    const property = agentContract.byName.get(field);
    const isDeclared = property !== undefined;
    // An empty list is reported by enum-empty.
    if (isDeclared && isEmpty(entries[field])) continue;
    if (isDeclared && (property.choices !== undefined || !contract.isResolvable(property.schema))) continue;
    const nearest = isDeclared ? [] : agentContract.findNearest(field);
    const name = JSON.stringify(field);
    report({
      ...(enums.isOwn
        ? { pointer: pointerOf('enums', field), target: 'key' as const }
        : schema.isOwn && isDeclared
          ? { pointer: `${schema.pointer}${property.pointer}`, target: 'key' as const }
          : schema.isOwn
            ? { pointer: schema.pointer, target: 'key' as const }
            : { pointer: inheritancePointer(file, context, enums) }),
      message: isDeclared
        ? `enums lists values for ${name}, but output_schema gives that field no enum of strings.`
        : `enums lists values for ${name}, which is not a field of output_schema.${didYouMean(nearest)}`,
      ...relatedPart(enums, pointerOf(field), `enums lists ${name}.`),
      data: { field, missing: isDeclared ? 'enum' : 'property', values: entries[field], nearest },
    });
  }
}

function isEmpty(values: Json | undefined): boolean {
  return Array.isArray(values) && values.length === 0;
}
