import { isObject, type Json } from '../../json.js';

/** Whether two JSON values are equal; the order of keys does not matter, that of items does. Makes nothing. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let index = 0; index < left.length; index++) if (!sameJson(left[index], right[index])) return false;
    return true;
  }
  if (!isObject(left) || !isObject(right)) return false;
  let count = 0;
  for (const key in left) {
    if (!Object.hasOwn(right, key) || !sameJson(left[key], right[key])) return false;
    count += 1;
  }
  for (const _key in right) count -= 1;
  return count === 0;
}
