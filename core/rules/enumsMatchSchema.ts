import type { RelatedPlace } from '../finding.js';
import { isObject, type Json, pointerOf } from '../json.js';
import { listed } from '../words.js';
import {
  areInheritedTogether,
  type ContractField,
  findAgentContract,
  findField,
  inheritancePointer,
  type TextChoices,
} from './facts/agentContract.js';
import type { CheckArguments, Rule } from './rule.js';

/**
 * `enums.f` and the strings the output schema allows for `f` must be the same set. The prompt asks the model to choose from the
 * first, validation accepts the second: where they differ, a right answer is refused or a value is never offered. One finding per
 * field, on the wrong value where there is only one.
 */
export const enumsMatchSchema: Rule = {
  code: 'enums-match-schema',
  severity: 'error',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, context, report) {
    const enums = findField(file, context, 'enums');
    if (enums === undefined || !isObject(enums.value)) return;
    const agentContract = findAgentContract(file, context);
    if (agentContract === undefined || areInheritedTogether(enums, agentContract.schema)) return;
    const { schema, byName } = agentContract;
    for (const field in enums.value) {
      const values = enums.value[field];
      const choices = byName.get(field)?.choices;
      if (Array.isArray(values) && choices !== undefined) compare({ file, context, report, enums, schema }, field, values, choices);
    }
  },
};

interface Sides extends CheckArguments {
  readonly enums: ContractField;
  readonly schema: ContractField;
}

function compare(sides: Sides, field: string, values: readonly Json[], choices: TextChoices): void {
  if (values.length === choices.values.length && values.every((value, index) => value === choices.values[index])) return;
  const { enums, schema, report } = sides;
  const here = new Set<Json>(values);
  const there = new Set(choices.values);
  // A value that is not a string is reported by the rule `schema`.
  const onlyHere = [...here].filter((value): value is string => typeof value === 'string' && !there.has(value));
  const onlyThere = [...there].filter((value) => !here.has(value));
  if (onlyHere.length === 0 && onlyThere.length === 0) return;

  const inEnums = `${enums.pointer}${pointerOf(field)}`;
  const inSchema = `${schema.pointer}${choices.pointer}`;
  const places: readonly RelatedPlace[] = [
    { file: schema.file, pointer: inSchema, message: `output_schema allows ${listed([...there])}.` },
    { file: enums.file, pointer: inEnums, message: `enums lists ${listed([...here])}.` },
  ];
  const place = markedPlace(sides, field, values, choices, onlyHere, onlyThere);
  report({
    ...place,
    message: `The values of ${JSON.stringify(field)} differ: ${differences(onlyHere, onlyThere)}.`,
    related: places.filter((other) => other.file !== sides.file.path || !place.pointer.startsWith(other.pointer)),
    data: { field, onlyInEnums: onlyHere, onlyInSchema: onlyThere, enumsPointer: inEnums, schemaPointer: inSchema },
  });
}

/** The wrong member where there is only one, else the field's key, on the side that the checked file has. */
function markedPlace(
  { file, context, enums, schema }: Sides,
  field: string,
  values: readonly Json[],
  choices: TextChoices,
  onlyHere: readonly string[],
  onlyThere: readonly string[],
): { pointer: string; target?: 'key' } {
  if (enums.isOwn && onlyHere.length === 1) return { pointer: pointerOf('enums', field, values.indexOf(onlyHere[0]!)) };
  if (schema.isOwn && onlyThere.length === 1 && (onlyHere.length === 0 || !enums.isOwn)) {
    return { pointer: `${schema.pointer}${choices.pointerAt(choices.values.indexOf(onlyThere[0]!))}` };
  }
  if (enums.isOwn) return { pointer: pointerOf('enums', field), target: 'key' };
  if (schema.isOwn) return { pointer: `${schema.pointer}${choices.pointer}`, target: 'key' };
  return { pointer: inheritancePointer(file, context, enums) };
}

function differences(onlyHere: readonly string[], onlyThere: readonly string[]): string {
  const parts: string[] = [];
  if (onlyHere.length > 0) parts.push(`only in enums ${listed(onlyHere)}`);
  if (onlyThere.length > 0) parts.push(`only in output_schema ${listed(onlyThere)}`);
  return parts.join(', ');
}
