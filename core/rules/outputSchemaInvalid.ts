import type { SchemaError } from '../config/configFile.js';
import { metaSchemaErrors } from '../config/kindValidators.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import type { Report, Rule } from './rule.js';
import { followRefs, resolveRef } from './support/resolveRef.js';
import { explainSchemaErrors } from './support/schemaErrors.js';
import { visitSchemas } from './support/visitSchemas.js';
import { shown } from './support/words.js';

/**
 * A schema that is no valid JSON Schema, describes no object, or refers to nowhere: nothing can be checked with it. `input_schema` is
 * held to the same.
 */
export const outputSchemaInvalid: Rule = {
  code: 'output-schema-invalid',
  severity: 'error',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, _context, report) {
    if (!isObject(file.value)) return;
    for (const field of ['output_schema', 'input_schema'] as const) {
      const schema = file.value[field];
      // Anything but an object is the schema rule's.
      if (!isObject(schema)) continue;
      const errors = metaErrors(schema, field);
      if (errors.length > 0) for (const finding of explainSchemaErrors(file, errors)) report(finding);
      if (!errors.some(({ pointer }) => pointer === `/${field}/type`)) checkRoot(schema, field, report);
      checkReferences(schema, field, report);
    }
  },
};

type Field = 'output_schema' | 'input_schema';

function metaErrors(schema: JsonObject, field: Field): readonly SchemaError[] {
  const dialect = typeof schema.$schema === 'string' && schema.$schema.includes('2020-12') ? '2020-12' : 'draft-07';
  const errors = metaSchemaErrors(schema, dialect);
  if (errors.length === 0) return errors;
  return errors
    .filter(({ keyword, pointer }) => !(keyword === 'uniqueItems' && pointer.endsWith('/enum')))
    .map((error) => ({ ...error, pointer: `/${field}${wrongMember(schema, error)}` }));
}

/** Of a list of types the one that is none, where the list as a whole was refused. */
function wrongMember(schema: JsonObject, { pointer, keyword, params }: SchemaError): string {
  const value = keyword === 'enum' ? valueAt(schema, pointer) : undefined;
  const { allowedValues: allowed } = params;
  if (!Array.isArray(value) || !Array.isArray(allowed)) return pointer;
  const index = value.findIndex((member) => !allowed.includes(member));
  return index < 0 ? pointer : `${pointer}/${index}`;
}

function checkRoot(schema: JsonObject, field: Field, report: Report): void {
  const place = followRefs(schema, { schema, pointer: '' });
  // A `$ref` to nowhere is told at the `$ref`.
  if (place === undefined || !isObject(place.schema)) return;
  const { type } = place.schema;
  const isObjectType = type === 'object' || (Array.isArray(type) && type.length === 1 && type[0] === 'object');
  if (isObjectType || (type === undefined && field === 'input_schema')) return;
  if (type === undefined) {
    report({
      pointer: `/${field}${place.pointer}`,
      target: 'key',
      message: `${field} does not say that it describes an object. Add "type": "object".`,
      data: { keyword: 'type', missing: 'type', value: 'object' },
    });
    return;
  }
  const what = field === 'output_schema' ? 'An answer' : 'A payload';
  report({
    pointer: `/${field}${place.pointer}/type`,
    message: `${what} is always an object, but the root of ${field} has the type ${shown(type)}. Write "object".`,
    data: { keyword: 'type', replacement: 'object', text: '"object"' },
  });
}

function checkReferences(root: JsonObject, field: Field, report: Report): void {
  visitSchemas(root, (schema, path) => {
    const ref = schema.$ref;
    if (typeof ref !== 'string' || followRefs(root, { schema, pointer: '' }) !== undefined) return;
    const pointer = `/${field}${pointerOf(...path, '$ref')}`;
    if (!ref.startsWith('#')) {
      report({
        pointer,
        message: `$ref ${shown(ref)} leaves this schema: only references inside it (#/$defs/name) are followed. Copy what it names here.`,
        data: { keyword: '$ref', reason: 'remote' },
      });
      return;
    }
    const target = resolveRef(root, ref);
    // A chain that ends in nothing is told at its last link, a circle at each of its own.
    if (target !== undefined && !leadsBack(root, target.schema, schema)) return;
    const nearest = target === undefined ? nearestDefinitions(root, ref) : [];
    report({
      pointer,
      message:
        target === undefined
          ? `$ref ${shown(ref)} points to nothing in this schema.${didYouMean(nearest)}`
          : `$ref ${shown(ref)} leads only back to itself, so it never says what is allowed.`,
      data: { keyword: '$ref', reason: target === undefined ? 'nothing' : 'circle', nearest },
    });
  });
}

/** Whether following references from `start` comes to `schema`. */
function leadsBack(root: JsonObject, start: Json, schema: JsonObject): boolean {
  const seen = new Set<Json>();
  for (let current: Json | undefined = start; isObject(current) && !seen.has(current); ) {
    if (current === schema) return true;
    seen.add(current);
    current = typeof current.$ref === 'string' ? resolveRef(root, current.$ref)?.schema : undefined;
  }
  return false;
}

/** References to definitions whose names look like the last part of `ref`. */
function nearestDefinitions(root: JsonObject, ref: string): string[] {
  const wanted = ref.slice(ref.lastIndexOf('/') + 1);
  return (['$defs', 'definitions'] as const).flatMap((keyword) => {
    const named = root[keyword];
    return isObject(named) ? nearestNames(wanted, Object.keys(named), 1).map((name) => `#${pointerOf(keyword, name)}`) : [];
  });
}
