import type { ConfigFile } from '../../config/configFile.js';
import { isObject, type Json } from '../../json.js';
import { sought } from './schemaCensus.js';
import { type Path, seekSchemas } from './visitSchemas.js';

/** A value that is like an earlier one of its list. */
export interface Repeat {
  readonly values: readonly Json[];
  /** Segments of the list in the file. */
  readonly path: Path;
  readonly first: number;
  readonly again: number;
}

/**
 * Visits every value that repeats an earlier one in a list the file itself writes: in the entries of `enums`, then in each `enum`
 * anywhere in its output schema.
 */
export function visitRepeats(file: ConfigFile, likeness: Likeness, visit: (repeat: Repeat) => void): void {
  if (!isObject(file.value)) return;
  const { enums, output_schema: schema } = file.value;
  if (isObject(enums)) {
    for (const field in enums) {
      const values = enums[field];
      if (Array.isArray(values) && mayRepeat(values, likeness)) visitRepeatsIn(values, ['enums', field], likeness, visit);
    }
  }
  seekSchemas(
    sought.enum,
    schema,
    (part, path) => {
      const values = part.enum;
      if (Array.isArray(values) && mayRepeat(values, likeness)) visitRepeatsIn(values, [...path, 'enum'], likeness, visit);
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

/** Up to this length comparing all pairs is cheaper than a map, and makes nothing. */
const shortList = 24;

function mayRepeat(values: readonly Json[], { same }: Likeness): boolean {
  if (values.length > shortList) return true;
  for (let right = 1; right < values.length; right++) {
    for (let left = 0; left < right; left++) if (same(values[left]!, values[right]!)) return true;
  }
  return false;
}

function visitRepeatsIn(values: readonly Json[], path: Path, { key }: Likeness, visit: (repeat: Repeat) => void): void {
  const firsts = new Map<Json, number>();
  values.forEach((value, again) => {
    const own = key(value);
    if (own === undefined) return;
    const first = firsts.get(own);
    if (first === undefined) firsts.set(own, again);
    else visit({ values, path, first, again });
  });
}
