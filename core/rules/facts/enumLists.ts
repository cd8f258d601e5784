import type { ConfigFile } from '../../config/configFile.js';
import { isObject, type Json, pointerOf } from '../../json.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { contractOf } from './agentContract.js';

/** A value that equals an earlier value of its list, or differs from it in letter case only. */
export interface Repeat {
  readonly values: readonly Json[];
  /** Pointer of the list in the file. */
  readonly pointer: string;
  readonly first: number;
  readonly again: number;
}

/** The repeats in the lists of the file itself: in the entries of `enums`, then in each `enum` of its output schema. */
export const findRepeats = forLastFile((file: ConfigFile, context: RuleContext): readonly Repeat[] => {
  if (!isObject(file.value)) return [];
  const { enums, output_schema: schema } = file.value;
  const repeats: Repeat[] = [];
  if (isObject(enums)) for (const field in enums) addRepeats(enums[field], () => pointerOf('enums', field), repeats);
  if (isObject(schema)) {
    for (const { schema: part, pointer } of contractOf(schema, file, context).schemas)
      addRepeats(part.enum, () => `/output_schema${pointer}/enum`, repeats);
  }
  return repeats;
});

function addRepeats(values: Json | undefined, pointer: () => string, repeats: Repeat[]): void {
  if (!Array.isArray(values)) return;
  const equal = new Map<Json, number>();
  const alike = new Map<string, number>();
  values.forEach((value: Json, again) => {
    if (typeof value === 'object') return;
    const folded = typeof value === 'string' ? value.toLowerCase() : undefined;
    const first = equal.get(value) ?? (folded === undefined ? undefined : alike.get(folded));
    if (first !== undefined) repeats.push({ values, pointer: pointer(), first, again });
    if (!equal.has(value)) equal.set(value, again);
    if (folded !== undefined && first === undefined) alike.set(folded, again);
  });
}
