import type { ConfigFile } from '../../config/configFile.js';
import { isObject, pointerOf, segmentsOf, valueAt } from '../../json.js';
import { nearestNames } from '../../names.js';
import type { SchemaError } from '../../schema/types.js';
import { type ForeignName, findForeignName } from './foreignNames.js';
import { fieldsAt } from './kindFields.js';

/** A key that its object's schema does not know, and the one thing to say about it. */
export type ExtraProperty = {
  readonly key: string;
  /** Of the key itself. */
  readonly pointer: string;
} & (
  | { readonly type: 'foreign'; readonly foreign: ForeignName }
  | { readonly type: 'misplaced'; readonly to: string }
  | { readonly type: 'unknown'; readonly nearest: readonly string[] }
);

/** Every key of the file that is not in the kind's schema, each once and sorted out: another tool's name, a wrong level, or unknown. */
export function findExtraProperties(file: ConfigFile, type: ExtraProperty['type'], visit: (extra: ExtraProperty) => void): void {
  if (file.schemaErrors.length === 0) return;
  const seen = new Set<string>();
  for (const error of file.schemaErrors) {
    const extra = toExtraProperty(file, error);
    if (extra?.type !== type || seen.has(extra.pointer)) continue;
    seen.add(extra.pointer);
    visit(extra);
  }
}

function toExtraProperty(file: ConfigFile, error: SchemaError): ExtraProperty | undefined {
  const key = error.params.additionalProperty;
  if (error.keyword !== 'additionalProperties' || typeof key !== 'string') return undefined;
  const pointer = `${error.pointer}${pointerOf(key)}`;
  const { kind } = file.identity;
  // Of a task's `agent_class` legacy-agent-class says more.
  if (kind === 'orchestration' && key === 'agent_class' && taskPointer.test(error.pointer)) return undefined;
  const segments = segmentsOf(error.pointer);
  const names = fieldsAt(kind, segments) ?? [];
  const foreign = segments.length === 0 ? findForeignName(key, names) : undefined;
  if (foreign !== undefined) return { type: 'foreign', key, pointer, foreign };
  const to = placeOf(file, key, segments);
  if (to !== undefined) return { type: 'misplaced', key, pointer, to };
  const renamed = findForeignName(key, names)?.replacement;
  return { type: 'unknown', key, pointer, nearest: renamed === undefined ? nearestNames(key, names) : [renamed] };
}

const taskPointer = /^\/teams\/[^/]*\/tasks\/\d+$/;

/** Where a key belongs that the level above or one of the objects below knows: its pointer there. */
function placeOf(file: ConfigFile, key: string, segments: readonly string[]): string | undefined {
  const { kind } = file.identity;
  const above = objectAbove(file, segments);
  if (above !== undefined && fieldsAt(kind, above)?.includes(key)) return pointerOf(...above, key);
  const below = (fieldsAt(kind, segments) ?? []).filter((name) => fieldsAt(kind, [...segments, name])?.includes(key));
  // An object that is already there is the likelier home.
  const home = below.find((name) => isObject(valueAt(file.value, pointerOf(...segments, name)))) ?? below[0];
  return home === undefined ? undefined : pointerOf(...segments, home, key);
}

/** Segments of the innermost object around, lists stepped over. */
function objectAbove(file: ConfigFile, segments: readonly string[]): readonly string[] | undefined {
  for (let length = segments.length - 1; length >= 0; length--) {
    const above = segments.slice(0, length);
    if (isObject(valueAt(file.value, pointerOf(...above)))) return above;
  }
  return undefined;
}
