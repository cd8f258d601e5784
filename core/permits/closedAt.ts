import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { OutputContract } from '../schema/outputContract.js';

/** Only recursive schemas are nested deeper. */
const deepest = 16;

/**
 * Whether a contract leaves no room for a text at a path: what is there is a value of an enum, a number, a boolean or null, or a list or object of
 * such. Strings with a `pattern`, a `format` or a `maxLength` are texts.
 */
export function isClosedAt(root: JsonObject, path: readonly string[]): boolean {
  return isHeldAt(root, path, 'no_text');
}

/** Whether the value at a path of an answer is certainly no object. */
export function isNoObjectAt(root: JsonObject, path: readonly string[]): boolean {
  return isHeldAt(root, path, 'no_object');
}

function isHeldAt(root: JsonObject, path: readonly string[], to: 'no_text' | 'no_object'): boolean {
  const contract = new OutputContract(root);
  /** By schema and place in the path. A schema that is part of itself counts as open. */
  const known = new Map<JsonObject, Map<number, boolean>>();
  return isHeld(root, 0, 0);

  function isHeld(schema: Json, at: number, depth: number): boolean {
    // No value meets `false`.
    if (schema === false) return true;
    const place = contract.follow({ schema, pointer: '' })?.schema;
    if (!isObject(place) || depth > deepest) return false;
    const answers = known.get(place) ?? new Map<number, boolean>();
    known.set(place, answers);
    const answer = answers.get(at);
    if (answer !== undefined) return answer;
    answers.set(at, false);
    const isThis = isHeldHere(place, at, depth + 1);
    answers.set(at, isThis);
    return isThis;
  }

  function isHeldHere(schema: JsonObject, at: number, depth: number): boolean {
    const { enum: values, allOf, anyOf, oneOf } = schema;
    const listed = schema.const !== undefined ? [schema.const] : Array.isArray(values) ? values : undefined;
    // What is inside of a listed value is listed too.
    if (listed !== undefined) return to === 'no_text' || (at === path.length && !listed.some(isObject));
    const isEach = (parts: Json | undefined) =>
      Array.isArray(parts) && parts.length > 0 && parts.every((part: Json) => isHeld(part, at, depth));
    if (listOf(allOf).some((part) => isHeld(part, at, depth)) || isEach(anyOf) || isEach(oneOf)) return true;
    const types = typeof schema.type === 'string' ? [schema.type] : listOf(schema.type);
    const segment = path[at];
    if (types.length > 0 && types.every((type) => isHeldType(type, schema, at, depth))) return true;
    return segment !== undefined && isHeldInside(types, schema, segment, at + 1, depth);
  }

  /** The whole value, or what is at the rest of the path where that is a value without parts. */
  function isHeldType(type: Json, schema: JsonObject, at: number, depth: number): boolean {
    const { items, prefixItems, properties, additionalProperties, patternProperties } = schema;
    const isWhole = at === path.length;
    switch (type) {
      case 'null':
      case 'boolean':
      case 'number':
      case 'integer':
        return true;
      case 'string':
        return to === 'no_object' || !isWhole;
      case 'array':
        if (to === 'no_object') return isWhole;
        return items !== undefined && !Array.isArray(items) && prefixItems === undefined && isHeld(items, path.length, depth);
      case 'object':
        if (to === 'no_object' || additionalProperties !== false || patternProperties !== undefined) return false;
        return Object.values(isObject(properties) ? properties : {}).every((part) => isHeld(part, path.length, depth));
      default:
        return false;
    }
  }

  function isHeldInside(types: readonly Json[], schema: JsonObject, segment: string, at: number, depth: number): boolean {
    const { properties, items, prefixItems } = schema;
    const mayBe = (type: string) => types.length === 0 || types.includes(type);
    const isIndex = /^(0|[1-9]\d*)$/.test(segment);
    if (isIndex && mayBe('array')) {
      return !mayBe('object') && isObject(items) && prefixItems === undefined && isHeld(items, at, depth);
    }
    return isObject(properties) && Object.hasOwn(properties, segment) && isHeld(properties[segment] as Json, at, depth);
  }
}
