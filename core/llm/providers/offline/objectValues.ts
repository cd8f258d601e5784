import { isObject, type Json, type JsonObject } from '../../../json.js';
import { type Checks, propertySchemas } from './fits.js';
import { numbersOf } from './numberValues.js';
import { fullDepth, type Make, type Place } from './place.js';

const mostFields = 1000;

/** Objects with every field that can be made, then with the required ones, then with one more each. Each still has to be checked. */
export function* objectValues(
  plain: readonly JsonObject[],
  { depth }: Place,
  { make, checks }: { readonly make: Make; readonly checks: Checks },
): Generator<JsonObject, void, undefined> {
  const required = requiredBy(plain);
  const declared = plain.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
  const names = [...new Set([...declared, ...required])];
  const optional = names.filter((name) => !required.has(name));
  const least = Math.max(0, ...numbersOf(plain, 'minProperties'));
  if (least > mostFields) return;
  const room = Math.max(0, Math.min(Number.POSITIVE_INFINITY, ...numbersOf(plain, 'maxProperties')) - required.size);

  const memberFor = (name: string): Json | undefined => {
    const parts = plain.flatMap((schema) => propertySchemas(schema, name, checks.matches));
    return make(parts, { name, depth: depth + 1, taken: [] });
  };
  /** In schema order, as a model would write it. Object.fromEntries treats names like __proto__ as ordinary. */
  const build = (isWanted: (name: string) => boolean): JsonObject | undefined => {
    const entries: [string, Json][] = [];
    let remaining = room;
    for (const name of names) {
      if (!required.has(name) && (remaining === 0 || !isWanted(name))) continue;
      const value = memberFor(name);
      if (value === undefined && required.has(name)) return undefined;
      if (value === undefined) continue;
      entries.push([name, value]);
      if (!required.has(name)) remaining--;
    }
    for (let index = 1; entries.length < least && index <= least; index++) {
      const value = names.includes(`extra${index}`) ? undefined : memberFor(`extra${index}`);
      if (value !== undefined) entries.push([`extra${index}`, value]);
    }
    return Object.fromEntries(entries);
  };

  const [all, none] = [() => true, () => false];
  const attempts = depth < fullDepth || least > required.size ? [all, none] : [none, all];
  // One more field at a time, for rules that tie fields to each other.
  for (const only of optional) attempts.push((name?: string) => name === only);
  for (const isWanted of attempts) {
    const object = build(isWanted);
    if (object === undefined) return;
    yield object;
  }
}

/** The required names, and the names that their presence requires. */
function requiredBy(plain: readonly JsonObject[]): ReadonlySet<string> {
  const listed = (names: Json | undefined) =>
    Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
  const ties = plain.flatMap(({ dependentRequired, dependencies }) => [dependentRequired, dependencies].filter(isObject));
  const required = new Set(plain.flatMap((schema) => listed(schema.required)));
  // A set that grows while it is iterated is iterated to its end.
  for (const name of required) {
    for (const tie of ties) if (Object.hasOwn(tie, name)) for (const other of listed(tie[name])) required.add(other);
  }
  return required;
}
