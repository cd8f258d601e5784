import type { ConfigFile } from '../../config/configFile.js';
import { pathOf } from '../../config/paths.js';
import type { ProjectIndex } from '../../config/projectIndex.js';
import { isObject, type Json, pointerOf, segmentsOf, valueAt } from '../../json.js';
import { type NearestNames, nearestAmong, nearestNames } from '../../names.js';
import { type ForeignName, findForeignName, isForeignGroup, isModelParameter, misspeltAmong } from '../../otherTools/fieldNames.js';
import type { ForeignHome } from '../../otherTools/types.js';
import { fieldsAt } from '../../schema/kindFields.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { findForeignHome } from './foreignHomes.js';

/** A key that its object's schema does not know, and why it is there. */
export type ExtraProperty = {
  readonly key: string;
  /** Pointer of the key itself. */
  readonly pointer: string;
} & ExtraKind;

type ExtraKind =
  | { readonly type: 'renamed'; readonly foreign: ForeignName }
  | { readonly type: 'foreign'; readonly home: ForeignHome }
  | { readonly type: 'misplaced'; readonly to: string; readonly file?: OtherFile }
  | { readonly type: 'unknown'; readonly nearest: readonly string[] };

/** The file of another kind that a key belongs in. */
interface OtherFile {
  readonly path: string;
  /** Whether all of the file belongs there. */
  readonly isWhole: boolean;
}

/** Every key of the file that is not in the kind's schema, classified once: another tool's name, a wrong level, or unknown. */
export const findExtraProperties = forLastFile((file: ConfigFile, { project }: RuleContext): readonly ExtraProperty[] => {
  if (file.schemaErrors.length === 0) return noProperties;
  const extras = new Map<string, ExtraProperty>();
  const owners = new Map<string, Owner>();
  for (const { keyword, params, pointer: around } of file.schemaErrors) {
    const key = params.additionalProperty;
    if (keyword !== 'additionalProperties' || typeof key !== 'string') continue;
    const pointer = `${around}${pointerOf(key)}`;
    // A task's `agent_class` is reported by legacy-agent-class.
    if (extras.has(pointer) || (key === 'agent_class' && file.identity.kind === 'orchestration' && taskPointer.test(around))) continue;
    const owner = owners.get(around) ?? ownerAt(file, around);
    owners.set(around, owner);
    extras.set(pointer, { key, pointer, ...classify(file, project, key, owner) });
  }
  return [...extras.values()];
});

const noProperties: readonly ExtraProperty[] = [];

/** An object with keys that its schema does not know. */
interface Owner {
  readonly value: Json | undefined;
  readonly segments: readonly string[];
  /** The keys that its schema knows. */
  readonly names: readonly string[];
  readonly findNearest: NearestNames;
  readonly findMisspelt: (key: string) => readonly string[];
  /** The innermost object around it. */
  readonly above: Neighbour | undefined;
  readonly below: readonly Neighbour[];
}

/** An object where a misplaced key may belong. */
interface Neighbour {
  readonly segments: readonly string[];
  readonly names: readonly string[];
}

function ownerAt(file: ConfigFile, pointer: string): Owner {
  const { kind } = file.identity;
  const segments = segmentsOf(pointer);
  const names = fieldsAt(kind, segments) ?? [];
  const neighbourAt = (place: readonly string[]): Neighbour => ({ segments: place, names: fieldsAt(kind, place) ?? [] });
  const above = objectAbove(file, segments);
  const below = names.map((name) => neighbourAt([...segments, name]));
  // An object that exists is the likelier home.
  const exists = ({ segments: place }: Neighbour) => isObject(valueAt(file.value, pointerOf(...place)));
  return {
    value: valueAt(file.value, pointer),
    segments,
    names,
    findNearest: nearestAmong(names),
    findMisspelt: misspeltAmong(names),
    above: above && neighbourAt(above),
    below: [...below.filter(exists), ...below.filter((neighbour) => !exists(neighbour))],
  };
}

function classify(file: ConfigFile, project: ProjectIndex, key: string, owner: Owner): ExtraKind {
  const { value, segments, names } = owner;
  const keyValue = isObject(value) ? value[key] : undefined;
  const foreign = isForeignGroup(key, keyValue, names) ? undefined : findForeignName(key, names, keyValue);
  if (foreign !== undefined) return { type: 'renamed', foreign };
  const home = findForeignHome({ file, project, key, segments, names });
  if (home !== undefined) return { type: 'foreign', home };
  const place = placeOf(key, owner) ?? placeInPayload(file, key, segments);
  if (place !== undefined) return { type: 'misplaced', to: place };
  const nearestHere = owner.findNearest(key);
  const nearest = nearestHere.length > 0 || isModelParameter(key) ? nearestHere : owner.findMisspelt(key);
  const persona = segments.length === 0 && nearest.length === 0 ? personaOf(file, project, key) : undefined;
  if (persona !== undefined) return { type: 'misplaced', to: pointerOf(key), file: persona };
  const to = optionOf(key, segments, names, nearest);
  return to === undefined ? { type: 'unknown', nearest } : { type: 'misplaced', to };
}

/** In a profile, keys for the provider belong in `options`: known parameters, and keys that resemble no field. */
function optionOf(key: string, segments: readonly string[], names: readonly string[], nearest: readonly string[]): string | undefined {
  const isOption = names.includes('options') && (isModelParameter(key) || nearest.length === 0);
  return isOption ? pointerOf(...segments, 'options', key) : undefined;
}

/** A field of personas and agents in a profile is nothing for a provider. */
function personaOf({ identity, value }: ConfigFile, project: ProjectIndex, key: string): OtherFile | undefined {
  const fields = fieldsAt('persona', []) ?? [];
  if (identity.kind !== 'llm' || !fields.includes(key) || !isObject(value)) return undefined;
  const isWhole = Object.keys(value).every((other) => other.startsWith('$') || fields.includes(other));
  return { path: pathOf('persona', identity.name, project.settings), isWhole };
}

const taskPointer = /^\/teams\/[^/]*\/tasks\/\d+$/;

/** The keys of a payload that hold its input. */
const inputKeys = ['input', 'context', 'cases', 'turns'];

/** The place of a key in a payload written without `input`: inside `input`. */
function placeInPayload({ identity, value }: ConfigFile, key: string, segments: readonly string[]): string | undefined {
  const isBare =
    identity.kind === 'payload' && segments.length === 0 && isObject(value) && !inputKeys.some((name) => Object.hasOwn(value, name));
  return isBare && nearestNames(key, inputKeys).length === 0 ? pointerOf('input', key) : undefined;
}

/** The pointer where a misplaced key belongs: in the object above or in one of those below, whichever knows the key. */
function placeOf(key: string, { above, below }: Owner): string | undefined {
  const hasKey = ({ names }: Neighbour) => names.includes(key);
  const home = above !== undefined && hasKey(above) ? above : below.find(hasKey);
  return home && pointerOf(...home.segments, key);
}

/** Segments of the innermost object around it; lists are skipped. */
function objectAbove(file: ConfigFile, segments: readonly string[]): readonly string[] | undefined {
  for (let length = segments.length - 1; length >= 0; length--) {
    const above = segments.slice(0, length);
    if (isObject(valueAt(file.value, pointerOf(...above)))) return above;
  }
  return undefined;
}
