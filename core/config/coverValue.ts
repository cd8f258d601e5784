import { isObject, type Json, type JsonObject } from '../json.js';
import { coverField } from './secretPatterns.js';

/** JSON with every secret in its texts covered by as many `*`: what shows itself by its shape, and whole values whose key says what they are. */
export function coverValue<Value extends Json>(value: Value, key?: string): Value {
  // The shape stays the same, which the compiler cannot follow through the branches.
  return covered(value, key) as Value;
}

function covered(value: Json, key: string | undefined): Json {
  if (typeof value === 'string') return coverField(value, key);
  if (Array.isArray(value)) return value.map((item: Json) => covered(item, key));
  if (!isObject(value)) return value;
  // `fromEntries` defines its members, so that `__proto__` is one like any other.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, covered(member, name)])) as JsonObject;
}
