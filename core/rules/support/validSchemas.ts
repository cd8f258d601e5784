import { isObject, type Json, type JsonObject } from '../../json.js';
import type { Dialect } from '../../schema/ajvPlaces.js';
import { metaSchemaErrors } from '../../schema/kindValidators.js';
import type { SchemaError } from '../../schema/types.js';
import { isLargeSchema, rememberLarge } from './largeSchema.js';

/** What `metaSchemaErrors` says. Of a large schema, fields that were found valid before are not looked at again. */
export function findSchemaErrors(schema: JsonObject, dialect: Dialect): readonly SchemaError[] {
  return finders[dialect](schema);
}

const finders: Readonly<Record<Dialect, (schema: JsonObject) => readonly SchemaError[]>> = {
  'draft-07': finder('draft-07'),
  '2020-12': finder('2020-12'),
};

/** Of its fields, a dialect says no more than that each is a schema: so those that are can be left out. */
function finder(dialect: Dialect): (schema: JsonObject) => readonly SchemaError[] {
  const valid = new WeakSet<JsonObject>();
  return rememberLarge((schema) => {
    if (!isLargeSchema(schema)) return metaSchemaErrors(schema, dialect);
    const unknown = withoutFields(schema.properties as JsonObject, valid);
    const errors = metaSchemaErrors({ ...schema, properties: unknown }, dialect);
    // With an error somewhere, nobody has said that the others are valid: a validator stops when there are many.
    if (errors.length === 0) for (const field of Object.values(unknown)) if (isObject(field)) valid.add(field);
    return errors;
  });
}

function withoutFields(properties: JsonObject, valid: WeakSet<JsonObject>): JsonObject {
  const left: [string, Json][] = [];
  for (const name in properties) {
    const field = properties[name] as Json;
    if (!isObject(field) || !valid.has(field)) left.push([name, field]);
  }
  return Object.fromEntries(left);
}
