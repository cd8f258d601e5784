import type { ConfigFile } from '../config/configFile.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { didYouMean } from '../names.js';
import type { Report, Rule, RuleContext } from './rule.js';
import { findChoices, mayLimit } from './support/choices.js';
import { type ContractField, findField, inheritancePointer } from './support/contractField.js';
import { rememberLarge } from './support/largeSchema.js';
import { fieldFinder, findOutputFields, isResolvable, type OutputFields } from './support/outputFields.js';
import { listed } from './support/words.js';

/**
 * A field with an enum in the output schema needs an entry in `enums`, and the reverse: without the entry the model is never told what
 * to choose from; without the schema's enum any answer is accepted.
 */
export const enumMissing: Rule = {
  code: 'enum-missing',
  severity: 'error',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, context, report) {
    const schema = findField(file, context, 'output_schema');
    if (schema === undefined || !isObject(schema.value)) return;
    const fields = findOutputFields(schema.value);
    if (fields === undefined) return;
    const enums = findField(file, context, 'enums');
    if (enums !== undefined && !isObject(enums.value)) return;
    // Both from one other file: the finding is that file's own.
    if (enums !== undefined && !enums.own && !schema.own && enums.file === schema.file) return;
    const checked: Checked = { file, context, report, schema, root: schema.value, fields, enums };

    // A persona without enums leaves them to its agents.
    if (enums !== undefined || file.identity.kind === 'agent') checkSchemaSide(checked);
    if (enums !== undefined) checkEnumsSide(checked, enums);
  },
};

interface Checked {
  readonly file: ConfigFile;
  readonly context: RuleContext;
  readonly report: Report;
  readonly schema: ContractField;
  readonly root: JsonObject;
  readonly fields: OutputFields;
  readonly enums: ContractField | undefined;
}

/** Enums of the schema that `enums` lacks. */
function checkSchemaSide({ file, context, report, schema, root, fields, enums }: Checked): void {
  for (const field of limitedFields(root)) {
    if (enums !== undefined && Object.hasOwn(enums.value as JsonObject, field)) continue;
    const pointer = `${fields.pointer}${pointerOf(field)}`;
    const choices = findChoices(root, fields.properties[field], pointer);
    if (choices === undefined || choices.values.length === 0) continue;
    const values = [...new Set(choices.values.map(({ value }) => value))];
    const place = schema.own
      ? { pointer: `${schema.pointer}${pointer}`, target: 'key' as const }
      : enums?.own === true
        ? { pointer: '/enums', target: 'key' as const }
        : { pointer: inheritancePointer(file, context, schema) };
    const elsewhere = {
      file: schema.file,
      pointer: `${schema.pointer}${choices.pointer}`,
      message: `output_schema allows ${listed(values)}.`,
    };
    report({
      ...place,
      message: `enums lacks ${JSON.stringify(field)}, which output_schema limits to ${listed(values, 'or')}.`,
      ...(schema.own ? {} : { related: [elsewhere] }),
      data: { field, missing: 'enums', values },
    });
  }
}

/** The fields that may have an enum. */
const limitedFields = rememberLarge((root): readonly string[] => {
  const fields = findOutputFields(root);
  const names: string[] = [];
  for (const name in fields?.properties) {
    const property = fields.properties[name];
    if (isObject(property) && mayLimit(property)) names.push(name);
  }
  return names;
});

/** Entries of `enums` whose field has no enum in the schema. */
function checkEnumsSide({ file, context, report, schema, root, fields }: Checked, enums: ContractField): void {
  const entries = enums.value as JsonObject;
  const findNearest = fieldFinder(fields);
  for (const field in entries) {
    const pointer = `${fields.pointer}${pointerOf(field)}`;
    const known = Object.hasOwn(fields.properties, field);
    const property = known ? fields.properties[field] : undefined;
    // An empty list is enum-empty's.
    if (known && isEmpty(entries[field])) continue;
    if (known && (hasPlainEnum(property) || findChoices(root, property, pointer) !== undefined || !isResolvable(root, property))) continue;
    const nearest = known ? [] : findNearest(field);
    const name = JSON.stringify(field);
    report({
      ...(enums.own
        ? { pointer: pointerOf('enums', field), target: 'key' as const }
        : schema.own && known
          ? { pointer: `${schema.pointer}${pointer}`, target: 'key' as const }
          : schema.own
            ? { pointer: schema.pointer, target: 'key' as const }
            : { pointer: inheritancePointer(file, context, enums) }),
      message: known
        ? `enums lists values for ${name}, but output_schema gives that field no enum of strings.`
        : `enums lists values for ${name}, which is no field of output_schema.${didYouMean(nearest)}`,
      ...(enums.own
        ? {}
        : { related: [{ file: enums.file, pointer: `${enums.pointer}${pointerOf(field)}`, message: `enums lists ${name}.` }] }),
      data: { field, missing: known ? 'enum' : 'property', values: entries[field], nearest },
    });
  }
}

function isEmpty(values: Json | undefined): boolean {
  return Array.isArray(values) && values.length === 0;
}

/** The common case, told without making anything. */
function hasPlainEnum(schema: Json | undefined): boolean {
  return isObject(schema) && Array.isArray(schema.enum) && typeof schema.enum[0] === 'string';
}
