import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { isEqual } from '../jsonText/jsonCompare.js';
import { listed, quoted } from '../words.js';
import { findField, inheritancePointer } from './facts/agentContract.js';
import { findSchemaChanges } from './facts/schemaChanges.js';
import type { Report, Rule } from './rule.js';

/**
 * The output schema, enums or input keys changed incompatibly in a version that already exists at the git base. Callers of that
 * version rely on it: an incompatible contract needs a new version.
 */
export const schemaChangedInPlace: Rule = {
  code: 'schema-changed-in-place',
  severity: 'error',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    const base = context.base(file);
    if (base === undefined || !isObject(file.value)) return;
    const now = file.value;
    // A version renamed in the file is about to move to a new path.
    if (base.version !== now.version) return;
    const version = quoted(now.version ?? file.identity.version);
    const reportChange: Report = (finding) =>
      report({ ...finding, message: `${finding.message} Create a new version instead of changing ${version}.` });

    if (isObject(base.output_schema)) {
      const schema = findField(file, context, 'output_schema');
      if (schema === undefined) {
        reportChange({
          pointer: Object.hasOwn(now, 'output_schema') ? '/output_schema' : '',
          message: 'The output schema is gone: readers find no fields.',
          data: { change: 'schema-removed' },
        });
      } else if (isObject(schema.value)) {
        for (const { change, field, pointer, target, message, data } of findSchemaChanges(base.output_schema, schema.value, 'output')) {
          const place = schema.isOwn
            ? { pointer: `${schema.pointer}${pointer}`, target }
            : { pointer: inheritancePointer(file, context, schema) };
          reportChange({ ...place, message, data: { change, field, ...data } });
        }
      }
    }
    if (isObject(base.input_schema) && isObject(now.input_schema)) {
      for (const { change, field, pointer, target, message, data } of findSchemaChanges(base.input_schema, now.input_schema, 'input')) {
        reportChange({ pointer: `/input_schema${pointer}`, target, message, data: { change, field, ...data } });
      }
    }
    compareEnums(base, now, reportChange);
    compareInputKeys(base, now, reportChange);
  },
};

/** Compares the lists of fields whose values the schemas do not list; other changes are reported at the schema. */
function compareEnums(base: JsonObject, now: JsonObject, report: Report): void {
  if (!isObject(base.enums) || !isObject(now.enums) || isEqual(base.enums, now.enums)) return;
  for (const field in base.enums) {
    if (hasOwnEnum(base, field) || hasOwnEnum(now, field)) continue;
    const before = base.enums[field];
    const after = Object.hasOwn(now.enums, field) ? now.enums[field] : undefined;
    if (!Array.isArray(before) || !Array.isArray(after)) continue;
    const old = new Set<Json>(before);
    const current = new Set<Json>(after);
    const removed = before.filter((value: Json) => !current.has(value));
    if (removed.length > 0) {
      report({
        pointer: pointerOf('enums', field),
        target: 'key',
        message: `${quoted(field)} can no longer be ${listed(removed, 'or')}: readers wait for it in vain.`,
        data: { change: 'values-removed', field, values: removed },
      });
    }
    after.forEach((value: Json, index) => {
      if (old.has(value)) return;
      report({
        pointer: pointerOf('enums', field, index),
        message: `${quoted(field)} may now be ${quoted(value)}, a value that readers do not know.`,
        data: { change: 'values-added', field, values: [value] },
      });
    });
  }
}

function hasOwnEnum({ output_schema: schema }: JsonObject, field: string): boolean {
  return isObject(schema) && isObject(schema.properties) && Object.hasOwn(schema.properties, field);
}

function compareInputKeys(base: JsonObject, now: JsonObject, report: Report): void {
  if (!Array.isArray(now.input_keys)) return;
  const before = new Set<Json>(Array.isArray(base.input_keys) ? base.input_keys : []);
  now.input_keys.forEach((key: Json, index) => {
    if (typeof key !== 'string' || before.has(key)) return;
    report({
      pointer: `/input_keys/${index}`,
      message: `The input key ${quoted(key)} is new: callers that do not send it are refused.`,
      data: { change: 'input-key-added', field: key },
    });
  });
}
