import type { ConfigFile } from '../config/configFile.js';
import { isObject, type JsonObject } from '../json.js';
import type { OutputContract, SchemaPlace } from '../schema/outputContract.js';
import {
  type AgentContract,
  areInheritedTogether,
  type ContractField,
  findAgentContract,
  findChoices,
  findField,
  inheritancePointer,
} from './facts/agentContract.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * A Chooser picks from lists. Without any list it has nothing to do, which is an error; a free-text field among its fields is written, not
 * chosen, and the prompt can only say "Also fill".
 */
export const chooserNeedsEnums: Rule = {
  code: 'chooser-needs-enums',
  severity: 'warning',
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
    if (hasChoice(chooser)) reportFreeText(chooser);
    else reportNothingToChoose(chooser);
  },
};

interface Chooser {
  readonly file: ConfigFile;
  readonly context: RuleContext;
  readonly report: Report;
  readonly mode: ContractField;
  readonly agentContract: AgentContract;
  readonly enums: JsonObject;
}

/** An entry of `enums` counts even where the schema lacks it: enum-missing and enums-match-schema report that. */
function hasChoice({ agentContract: found, enums }: Chooser): boolean {
  for (const field in enums) if (Array.isArray(enums[field]) && enums[field].length > 0) return true;
  return [...found.byName.values()].some(({ schema, choices }) => choices !== undefined || !found.contract.isResolvable(schema));
}

function reportNothingToChoose({ file, context, report, mode, agentContract: { schema } }: Chooser): void {
  report({
    severity: 'error',
    pointer: mode.isOwn ? '/mode' : schema.isOwn ? schema.pointer : inheritancePointer(file, context, mode),
    ...(mode.isOwn || !schema.isOwn ? {} : { target: 'key' }),
    message:
      'A Chooser picks from lists of values, but no field of output_schema has an enum. Add one, or use the mode Writer or Extractor.',
    data: { reason: 'nothing-to-choose' },
  });
}

function reportFreeText({ file, context, report, mode, agentContract: found, enums }: Chooser): void {
  const { schema, contract, byName } = found;
  for (const [field, property] of byName) {
    if (Object.hasOwn(enums, field) || !isFreeText(contract, property)) continue;
    const { pointer } = property;
    report({
      ...(schema.isOwn
        ? { pointer: `${schema.pointer}${pointer}`, target: 'key' as const }
        : { pointer: mode.isOwn ? '/mode' : inheritancePointer(file, context, schema) }),
      message: `${JSON.stringify(field)} is free text, and a Chooser picks from lists. Give it an enum, or move it to a Writer.`,
      ...(schema.isOwn
        ? {}
        : { related: [{ file: schema.file, pointer: `${schema.pointer}${pointer}`, message: 'The field is defined here.' }] }),
      data: { reason: 'free-text', field },
    });
  }
}

/** A string, or a list of strings, that nothing but its length limits. */
function isFreeText(contract: OutputContract, property: SchemaPlace): boolean {
  const place = contract.follow(property);
  if (place === undefined || !isObject(place.schema)) return false;
  const { schema, pointer } = place;
  if (hasType(schema, 'array'))
    return isObject(schema.items) && isFreeText(contract, { schema: schema.items, pointer: `${pointer}/items` });
  if (!hasType(schema, 'string') || schema.pattern !== undefined || schema.format !== undefined) return false;
  return findChoices(contract, place) === undefined;
}

function hasType(schema: JsonObject, type: string): boolean {
  return schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type));
}
