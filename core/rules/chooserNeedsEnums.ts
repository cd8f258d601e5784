import type { ConfigFile } from '../config/configFile.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import type { Report, Rule, RuleContext } from './rule.js';
import { findChoices } from './support/choices.js';
import { type ContractField, findField, inheritancePointer } from './support/contractField.js';
import { findOutputFields, isResolvable, type OutputFields } from './support/outputFields.js';
import { followRefs } from './support/resolveRef.js';

/**
 * A Chooser picks from lists. With no list at all it has nothing to do; a field of free text among its fields is written, not
 * chosen, and composition can only say "Also fill".
 */
export const chooserNeedsEnums: Rule = {
  code: 'chooser-needs-enums',
  severity: 'warning',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, context, report) {
    const mode = findField(file, context, 'mode');
    if (mode?.value !== 'Chooser') return;
    const schema = findField(file, context, 'output_schema');
    // Without a schema the config is incomplete, which effective-config-incomplete says.
    if (schema === undefined || !isObject(schema.value)) return;
    if (!mode.own && !schema.own && mode.file === schema.file) return;
    const fields = findOutputFields(schema.value);
    if (fields === undefined) return;
    const enums = findField(file, context, 'enums');
    const chooser: Chooser = {
      file,
      context,
      report,
      mode,
      schema,
      root: schema.value,
      fields,
      enums: isObject(enums?.value) ? enums.value : {},
    };
    if (hasChoice(chooser)) reportFreeText(chooser);
    else reportNothingToChoose(chooser);
  },
};

interface Chooser {
  readonly file: ConfigFile;
  readonly context: RuleContext;
  readonly report: Report;
  readonly mode: ContractField;
  readonly schema: ContractField;
  readonly root: JsonObject;
  readonly fields: OutputFields;
  readonly enums: JsonObject;
}

/** An entry of `enums` counts even where the schema lacks it: enum-missing and enums-match-schema say so. */
function hasChoice({ root, fields, enums }: Chooser): boolean {
  for (const field in enums) if (Array.isArray(enums[field]) && enums[field].length > 0) return true;
  for (const field in fields.properties) {
    const property = fields.properties[field];
    if (findChoices(root, property, '') !== undefined || !isResolvable(root, property)) return true;
  }
  return false;
}

function reportNothingToChoose({ file, context, report, mode, schema }: Chooser): void {
  report({
    pointer: mode.own ? '/mode' : schema.own ? schema.pointer : inheritancePointer(file, context, mode),
    ...(mode.own || !schema.own ? {} : { target: 'key' }),
    message:
      'A Chooser picks from lists of values, but no field of output_schema has an enum. Add one, or use the mode Writer or Extractor.',
    data: { reason: 'nothing-to-choose' },
  });
}

function reportFreeText({ file, context, report, mode, schema, root, fields, enums }: Chooser): void {
  for (const field in fields.properties) {
    if (Object.hasOwn(enums, field)) continue;
    const pointer = `${fields.pointer}${pointerOf(field)}`;
    const property = fields.properties[field];
    if (!isFreeText(root, property, pointer)) continue;
    report({
      ...(schema.own
        ? { pointer: `${schema.pointer}${pointer}`, target: 'key' as const }
        : { pointer: mode.own ? '/mode' : inheritancePointer(file, context, schema) }),
      message: `${JSON.stringify(field)} is free text, and a Chooser picks from lists. Give it an enum, or move it to a Writer.`,
      ...(schema.own
        ? {}
        : { related: [{ file: schema.file, pointer: `${schema.pointer}${pointer}`, message: 'The field is defined here.' }] }),
      data: { reason: 'free-text', field },
    });
  }
}

/** A string, or a list of strings, that nothing but its length limits. */
function isFreeText(root: JsonObject, property: Json | undefined, pointer: string): boolean {
  const schema = property === undefined ? undefined : followRefs(root, { schema: property, pointer })?.schema;
  if (!isObject(schema)) return false;
  if (hasType(schema, 'array')) return isFreeText(root, isObject(schema.items) ? schema.items : undefined, `${pointer}/items`);
  if (!hasType(schema, 'string') || schema.pattern !== undefined || schema.format !== undefined) return false;
  return findChoices(root, schema, pointer) === undefined;
}

function hasType(schema: JsonObject, type: string): boolean {
  return schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type));
}
