import type { ConfigFile } from '../../config/configFile.js';
import { isForeignGroup } from '../../config/foreignFields.js';
import { type ForeignName, findForeignName, findMisspelt } from '../../config/foreignNames.js';
import type { ProjectIndex } from '../../config/projectIndex.js';
import { isObject, pointerOf, segmentsOf, valueAt } from '../../json.js';
import { nearestNames } from '../../names.js';
import type { SchemaError } from '../../schema/types.js';
import { findForeignHome } from './foreignHomes.js';
import type { ForeignHome } from './foreignKey.js';
import { fieldsAt } from './kindFields.js';
import { isModelParameter } from './profileOptions.js';

/** A key that its object's schema does not know, and the one thing to say about it. */
export type ExtraProperty = {
  readonly key: string;
  /** Of the key itself. */
  readonly pointer: string;
} & (
  | { readonly type: 'renamed'; readonly foreign: ForeignName }
  | { readonly type: 'foreign'; readonly home: ForeignHome }
  | { readonly type: 'misplaced'; readonly to: string }
  | { readonly type: 'unknown'; readonly nearest: readonly string[] }
);

/** Every key of the file that is not in the kind's schema, each once and sorted out: another tool's name, a wrong level, or unknown. */
export function findExtraProperties(file: ConfigFile, project: ProjectIndex, visit: (extra: ExtraProperty) => void): void {
  if (file.schemaErrors.length === 0) return;
  const seen = new Set<string>();
  for (const error of file.schemaErrors) {
    const extra = toExtraProperty(file, project, error);
    if (extra === undefined || seen.has(extra.pointer)) continue;
    seen.add(extra.pointer);
    visit(extra);
  }
}

function toExtraProperty(file: ConfigFile, project: ProjectIndex, error: SchemaError): ExtraProperty | undefined {
  const key = error.params.additionalProperty;
  if (error.keyword !== 'additionalProperties' || typeof key !== 'string') return undefined;
  const pointer = `${error.pointer}${pointerOf(key)}`;
  const { kind } = file.identity;
  // Of a task's `agent_class` legacy-agent-class says more.
  if (kind === 'orchestration' && key === 'agent_class' && taskPointer.test(error.pointer)) return undefined;
  const segments = segmentsOf(error.pointer);
  const names = fieldsAt(kind, segments) ?? [];
  const isGroup = isForeignGroup(key, valueAt(file.value, pointer), names);
  const foreign = isGroup ? undefined : findForeignName(key, names);
  if (foreign !== undefined) return { type: 'renamed', key, pointer, foreign };
  const home = findForeignHome({ file, project, key, segments, names });
  if (home !== undefined) return { type: 'foreign', key, pointer, home };
  const place = placeOf(file, key, segments) ?? placeInPayload(file, key, segments);
  if (place !== undefined) return { type: 'misplaced', key, pointer, to: place };
  const own = nearestNames(key, names);
  const nearest = own.length > 0 || isModelParameter(key) ? own : findMisspelt(key, names);
  const to = optionOf(key, segments, names, nearest);
  return to === undefined ? { type: 'unknown', key, pointer, nearest } : { type: 'misplaced', key, pointer, to };
}

/** In a profile, what the provider alone understands belongs in `options`: a known parameter, or what is like no field of ours. */
function optionOf(key: string, segments: readonly string[], names: readonly string[], nearest: readonly string[]): string | undefined {
  const isOption = names.includes('options') && (isModelParameter(key) || nearest.length === 0);
  return isOption ? pointerOf(...segments, 'options', key) : undefined;
}

const taskPointer = /^\/teams\/[^/]*\/tasks\/\d+$/;

/** Of a payload: it says which of them it has. */
const inputKeys = ['input', 'context', 'cases'];

/** A payload that is written without `input`: what it says belongs there. */
function placeInPayload({ identity, value }: ConfigFile, key: string, segments: readonly string[]): string | undefined {
  const isBare =
    identity.kind === 'payload' && segments.length === 0 && isObject(value) && !inputKeys.some((name) => Object.hasOwn(value, name));
  return isBare && nearestNames(key, inputKeys).length === 0 ? pointerOf('input', key) : undefined;
}

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
