import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { toAjvInput } from '../schema/ajvInput.js';
import type { Dialect } from '../schema/ajvPlaces.js';
import type { SchemaError } from '../schema/types.js';
import type { Report, Rule } from './rule.js';
import { isPlainSchema } from './support/plainSchema.js';
import { followRefs } from './support/resolveRef.js';
import { sought, takeCensus } from './support/schemaCensus.js';
import { explainSchemaErrors } from './support/schemaErrors.js';
import { findSchemaErrors } from './support/validSchemas.js';
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
      if (!isObject(schema) || isPlainSchema(schema)) continue;
      const dialect = dialectOf(schema);
      const errors = findSchemaErrors(schema, dialect);
      if (errors.length > 0) {
        const inFile = errors.map((error) => ({ ...error, pointer: `/${field}${wrongMember(schema, error)}` }));
        for (const finding of explainSchemaErrors(file, inFile)) report(finding);
      } else if (asksForCloserLook(schema)) checkReferences(schema, dialect, field, report);
      if (!errors.some(({ pointer }) => pointer === '/type')) checkRoot(schema, field, report);
    }
  },
};

type Field = 'output_schema' | 'input_schema';

/** Far below what the compiler takes, so that counting may be rough. */
const few = { schemas: 18_000, alternatives: 400 };

function dialectOf({ $schema }: JsonObject): Dialect {
  return typeof $schema === 'string' && $schema.includes('2020-12') ? '2020-12' : 'draft-07';
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

/** Whether it refers to anything, or may hold more than the compiler takes. Nothing else of what the compiler refuses is left. */
function asksForCloserLook(schema: JsonObject): boolean {
  const { keywords, schemas, longestList } = takeCensus(schema);
  return (keywords & sought.reference) !== 0 || schemas > few.schemas || longestList > few.alternatives;
}

/** References as the compiler follows them, without compiling: what it would refuse is told here. Patterns are pattern-unsupported's. */
function checkReferences(schema: JsonObject, dialect: Dialect, field: Field, report: Report): void {
  const input = toAjvInput(schema, dialect, { regExp: () => ({ ok: true, test: () => true }), hasFormat: () => true });
  if (input.ok) return;
  for (const { pointer, message } of input.problems) {
    const reference = valueAt(schema, pointer);
    const nearest = typeof reference === 'string' ? nearestDefinitions(schema, reference) : [];
    const keyword = pointer.slice(pointer.lastIndexOf('/') + 1);
    report({
      pointer: `/${field}${pointer}`,
      message: `${keyword === '' ? field : keyword} ${message}.${didYouMean(nearest)}`,
      data: { keyword, nearest },
    });
  }
}

/** References to definitions whose names look like the last part of a reference that leads nowhere. */
function nearestDefinitions(root: JsonObject, reference: string): string[] {
  const wanted = reference.slice(reference.lastIndexOf('/') + 1);
  return (['$defs', 'definitions'] as const).flatMap((keyword) => {
    const named: Json | undefined = root[keyword];
    if (!isObject(named) || Object.hasOwn(named, wanted)) return [];
    return nearestNames(wanted, Object.keys(named), 1).map((name) => `#${pointerOf(keyword, name)}`);
  });
}
