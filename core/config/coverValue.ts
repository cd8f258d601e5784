import { isObject, type Json, type JsonObject } from '../json.js';
import { coverField } from './secretPatterns.js';

/**
 * JSON with every secret in its texts covered by as many `*`: what shows itself by its shape, and whole values whose key says what they are. The
 * value itself where there is none.
 */
export function coverValue<Value extends Json>(value: Value, key?: string): Value {
  // The shape stays the same, which the compiler cannot follow through the branches.
  return covered(value, key) as Value;
}

function covered(value: Json, key: string | undefined): Json {
  if (typeof value === 'string') return coverField(value, key);
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => covered(item, key));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  let isSame = true;
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    const own = covered(member, name);
    isSame &&= own === member;
    return [name, own];
  });
  // `fromEntries` defines its members, so that `__proto__` is one like any other.
  return isSame ? value : (Object.fromEntries(members) as JsonObject);
}
