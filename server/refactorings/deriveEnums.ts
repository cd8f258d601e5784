import { CodeActionKind } from 'vscode-languageserver';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../core/json.js';
import { editTowards } from '../../core/jsonText/editTowards.js';
import { findChoices } from '../../core/rules/facts/agentContract.js';
import { OutputContract } from '../../core/schema/outputContract.js';
import { editJson } from '../edits/fileChange.js';
import type { Proposal, Refactoring } from './refactoring.js';

/** Copies the values allowed by the output schema to `enums`, field by field, or the values of `enums` to the schema. */
export const deriveEnums: Refactoring = {
  name: 'derive-enums',
  kind: CodeActionKind.RefactorRewrite,
  propose(context) {
    const { project, file, value, fields } = context;
    if ((file.identity.kind !== 'agent' && file.identity.kind !== 'persona') || !isObject(value.output_schema)) return [];
    if (!fields.includes('enums') && !fields.includes('output_schema')) return [];
    const { output_schema: schema, enums } = value;
    const proposals: Proposal[] = [];
    const derived = enumsOf(schema);
    if (derived !== undefined && Object.keys(derived).length > 0 && !sameJson(derived, enums))
      proposals.push({
        id: 'from-schema',
        title: enums === undefined ? 'Write enums with the values of the schema' : 'Make enums equal to the values of the schema',
        changes: () => editJson(project, file.path, (edit) => editTowards(edit, '/enums', enums, derived)),
      });
    const limited = isObject(enums) ? schemaWith(schema, enums) : undefined;
    if (limited !== undefined && !sameJson(limited, schema))
      proposals.push({
        id: 'from-enums',
        title: 'Make the values of the schema equal to enums',
        changes: () => editJson(project, file.path, (edit) => editTowards(edit, '/output_schema', schema, limited)),
      });
    return proposals;
  },
};

/** The strings allowed for each field; undefined if the fields of a schema cannot be listed. */
function enumsOf(schema: JsonObject): JsonObject | undefined {
  const contract = new OutputContract(schema);
  const { properties, pointer, complete } = contract.fields;
  if (!complete) return undefined;
  const enums = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    const choices = findChoices(contract, { schema: property, pointer: `${pointer}${pointerOf(name)}` });
    return choices === undefined ? [] : [[name, [...new Set(choices.values)]]];
  });
  return Object.fromEntries(enums);
}

/** The schema with the lists of `enums` in its own properties; an allowed null stays. */
function schemaWith(schema: JsonObject, enums: JsonObject): JsonObject | undefined {
  const properties = valueAt(schema, '/properties');
  if (!isObject(properties)) return undefined;
  const limited = Object.entries(properties).map(([name, property]): [string, Json] => {
    const values = Object.hasOwn(enums, name) ? enums[name] : undefined;
    return [name, Array.isArray(values) && values.length > 0 && isObject(property) ? withValues(property, values) : property];
  });
  return { ...schema, properties: Object.fromEntries(limited) };
}

function withValues(property: JsonObject, values: readonly Json[]): JsonObject {
  const { items } = property;
  // A choice behind a reference or among alternatives may be used elsewhere too.
  if (['$ref', 'allOf', 'anyOf', 'oneOf', 'const'].some((keyword) => Object.hasOwn(property, keyword))) return property;
  if (isObject(items)) return { ...property, items: withValues(items, values) };
  const written: readonly Json[] = Array.isArray(property.enum) ? property.enum : [];
  const others = written.filter((value) => typeof value !== 'string');
  const strings = written.filter((value) => typeof value === 'string');
  return strings.length === values.length && strings.every((value) => values.includes(value))
    ? property
    : { ...property, enum: [...values, ...others] };
}

function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
