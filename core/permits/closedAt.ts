import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { OutputContract } from '../schema/outputContract.js';

/** Only recursive schemas are nested deeper. */
const deepest = 16;

/**
 * Whether a contract leaves no room for a text at a path: what is there is a value of an enum, a number, a boolean or null, or a list or object of
 * such. Strings with a `pattern`, a `format` or a `maxLength` are texts.
 */
export function isClosedAt(root: JsonObject, path: readonly string[]): boolean {
  const contract = new OutputContract(root);
  let schema: Json = root;
  for (const segment of path) {
    if (isClosed(schema, contract, 0)) return true;
    const { properties, items }: JsonObject = toObject(schema, contract) ?? {};
    if (isObject(properties) && Object.hasOwn(properties, segment)) schema = properties[segment] as Json;
    else if (/^\d+$/.test(segment) && isObject(items)) schema = items;
    else return false;
  }
  return isClosed(schema, contract, 0);
}

function toObject(schema: Json, contract: OutputContract): JsonObject | undefined {
  const place = contract.follow({ schema, pointer: '' });
  return isObject(place?.schema) ? place.schema : undefined;
}

function isClosed(schema: Json, contract: OutputContract, depth: number): boolean {
  // No value meets `false`.
  if (schema === false) return true;
  const place = toObject(schema, contract);
  if (place === undefined || depth > deepest) return false;
  const { enum: values, type, allOf, anyOf, oneOf } = place;
  if (place.const !== undefined || Array.isArray(values)) return true;
  const isEach = (parts: Json | undefined) =>
    Array.isArray(parts) && parts.length > 0 && parts.every((part: Json) => isClosed(part, contract, depth + 1));
  if (listOf(allOf).some((part) => isClosed(part, contract, depth + 1)) || isEach(anyOf) || isEach(oneOf)) return true;
  const types = typeof type === 'string' ? [type] : listOf(type);
  return types.length > 0 && types.every((each) => isClosedType(each, place, contract, depth));
}

function isClosedType(type: Json, schema: JsonObject, contract: OutputContract, depth: number): boolean {
  const { items, prefixItems, properties, additionalProperties, patternProperties } = schema;
  switch (type) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'integer':
      return true;
    case 'array':
      return items !== undefined && !Array.isArray(items) && prefixItems === undefined && isClosed(items, contract, depth + 1);
    case 'object':
      if (additionalProperties !== false || patternProperties !== undefined) return false;
      return Object.values(isObject(properties) ? properties : {}).every((part) => isClosed(part, contract, depth + 1));
    default:
      return false;
  }
}
