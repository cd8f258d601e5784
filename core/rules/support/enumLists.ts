import type { ConfigFile } from '../../config/configFile.js';
import { isObject, type Json } from '../../json.js';
import { type Path, visitSchemas } from './visitSchemas.js';

/** `path`: segments of the list in the file; the array is reused by the walk, so copy what must last. */
export type VisitList = (values: readonly Json[], path: Path) => void;

/** Visits every list of values the file itself writes: the entries of `enums`, then each `enum` anywhere in its output schema. */
export function visitEnumLists(file: ConfigFile, visit: VisitList): void {
  if (!isObject(file.value)) return;
  const { enums, output_schema: schema } = file.value;
  if (isObject(enums)) {
    for (const field in enums) {
      const values = enums[field];
      if (Array.isArray(values)) visit(values, ['enums', field]);
    }
  }
  visitSchemas(
    schema,
    (part, path) => {
      if (Array.isArray(part.enum)) visit(part.enum, [...path, 'enum']);
    },
    ['output_schema'],
  );
}

/** When two values of a list count as one. `same(a, b)` and `key(a) === key(b)` must mean the same. */
export interface Likeness {
  readonly same: (left: Json, right: Json) => boolean;
  /** Undefined for values that are like no other. */
  readonly key: (value: Json) => Json | undefined;
}

/** Calls back for each value that is like an earlier one, with the index of the first like it. Linear in long lists. */
export function visitRepeats(values: readonly Json[], { same, key }: Likeness, visit: (first: number, again: number) => void): void {
  if (values.length <= shortList && !hasPair(values, same)) return;
  const firsts = new Map<Json, number>();
  values.forEach((value, index) => {
    const own = key(value);
    if (own === undefined) return;
    const first = firsts.get(own);
    if (first === undefined) firsts.set(own, index);
    else visit(first, index);
  });
}

/** Up to this length comparing all pairs is cheaper than a map, and makes nothing. */
const shortList = 24;

function hasPair(values: readonly Json[], same: Likeness['same']): boolean {
  for (let right = 1; right < values.length; right++) {
    for (let left = 0; left < right; left++) if (same(values[left]!, values[right]!)) return true;
  }
  return false;
}
