import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import { isEqual } from '../../jsonText/jsonCompare.js';

/**
 * A schema of the values that fit two schemas. Never fewer than these; more where keywords differ that are not worked out.
 */
export function sharedSchema(left: Json, right: Json): Json {
  if (left === true || isEqual(left, right)) return right;
  if (right === true) return left;
  if (!isObject(left) || !isObject(right)) return false;
  const [one, other] = [openProperties(left, right), openProperties(right, left)];
  const shared: Record<string, Json> = {};
  const apart: JsonObject[] = [];
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const [was, is] = [one[key], other[key]];
    if (words.has(key)) continue;
    if (was === undefined || is === undefined || isEqual(was, is)) shared[key] = (was ?? is) as Json;
    else if (key === 'required') shared[key] = [...new Set([...listOf(was), ...listOf(is)])];
    else if (key === 'enum') shared[key] = listOf(was).filter((value) => listOf(is).some((value2) => isEqual(value, value2)));
    else if (key === 'items' || key === 'additionalProperties') shared[key] = sharedSchema(was, is);
    else if (key === 'properties' && isObject(was) && isObject(is)) {
      const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
      shared[key] = Object.fromEntries(names.map((name) => [name, sharedSchema(own(was, name), own(is, name))]));
    } else apart.push({ [key]: was }, { [key]: is });
  }
  return apart.length === 0 ? shared : { ...shared, allOf: [...listOf(shared.allOf), ...apart] };
}

/** With the fields that only the other schema names, as this one judges them. */
function openProperties(schema: JsonObject, { properties: others }: JsonObject): JsonObject {
  const { properties = {}, patternProperties, additionalProperties = true } = schema;
  if (!isObject(others) || !isObject(properties)) return schema;
  const rest = patternProperties === undefined ? additionalProperties : true;
  const names = Object.keys(others).filter((name) => !Object.hasOwn(properties, name));
  return { ...schema, properties: { ...properties, ...Object.fromEntries(names.map((name) => [name, rest])) } };
}

function own(object: JsonObject, key: string): Json {
  return Object.hasOwn(object, key) ? (object[key] as Json) : true;
}

/** Keywords that judge nothing. */
const words = new Set(['title', 'description', 'examples', 'default', '$comment']);
