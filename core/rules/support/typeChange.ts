import type { JsonObject } from '../../json.js';
import { listed } from '../../words.js';

export interface TypeChange {
  /** Values are legal that were not. */
  readonly widened: boolean;
  /** Values were legal that are not. */
  readonly narrowed: boolean;
  /** What changed, to follow the field's name. */
  readonly words: string;
}

/** How the `type` of a schema changed, or undefined when it means the same. No type means any. */
export function findTypeChange(before: { schema: JsonObject }, after: { schema: JsonObject }): TypeChange | undefined {
  const old = typesOf(before.schema);
  const now = typesOf(after.schema);
  if (old === undefined && now === undefined) return undefined;
  if (now === undefined) return { widened: true, narrowed: false, words: `may now be of any type (was ${listed(old ?? [], 'or')})` };
  if (old === undefined) return { widened: false, narrowed: true, words: `is now limited to the type ${listed(now, 'or')}` };
  const added = now.filter((type) => !covers(old, type));
  const removed = old.filter((type) => !covers(now, type));
  if (added.length === 0 && removed.length === 0) return undefined;
  if (removed.length === 0) return { widened: true, narrowed: false, words: `may now also be ${listed(added, 'or')}` };
  if (added.length === 0) return { widened: false, narrowed: true, words: `can no longer be ${listed(removed, 'or')}` };
  return { widened: true, narrowed: true, words: `is ${listed(now, 'or')} now (was ${listed(old, 'or')})` };
}

function typesOf({ type }: JsonObject): readonly string[] | undefined {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.map(String) : undefined;
}

function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}
