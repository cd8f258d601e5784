import type { ConfigFile } from '../../config/configFile.js';
import { isForeignMcpKind } from '../../config/mcpFiles.js';
import { isObject, type Json, pointerOf, valueAt } from '../../json.js';
import type { Kind } from '../../kinds.js';
import { fieldsInGroup, foreignFieldsOf, isForeignGroup } from '../../otherTools/fieldNames.js';
import { fieldsAt } from '../../schema/kindFields.js';
import { listed, quoted } from '../../words.js';
import type { ForeignHome, ForeignKey, Move } from './foreignKey.js';
import { profileHome } from './foreignProfiles.js';

/** `llm: {model, temperature}`: its fields are the agent's own. So are those of the whole file in `{"agent": {...}}`. */
export function homeOfGroup(foreign: ForeignKey): ForeignHome | undefined {
  const { file, key, segments, names } = foreign;
  const group = valueAt(file.value, pointerOf(...segments, key));
  const isWhole = isObject(group) && segments.length === 0 && wholeNames(file).includes(key);
  if (!isObject(group) || !(isForeignGroup(key, group, names) || isWhole)) return undefined;
  const given = new Set(takenFields(valueAt(file.value, pointerOf(...segments)), key, names));
  const moves: Move[] = [];
  const words: string[] = [];
  const kept = new Set(Object.keys(group));
  let safe = true;
  const move = (from: string, field: string, isSafe: boolean) => {
    if (given.has(field)) return;
    given.add(field);
    kept.delete(from);
    moves.push({ from: pointerOf(...segments, key, from), to: pointerOf(...segments, field) });
    words.push(from === field ? quoted(field) : `${quoted(from)} (as ${quoted(field)})`);
    safe &&= isSafe;
  };
  for (const { field, from, safe: isSafe } of fieldsInGroup(key, group, names)) move(from.at(-1) ?? '', field, isSafe);
  // What a whole file holds is judged once it is at the root.
  if (isWhole) for (const other of [...kept]) move(other, other, false);
  const ofProfile = [...kept].flatMap((inner) => profileHome(foreign, inner, [...segments, key, inner]) ?? []);
  if (moves.length === 0 && ofProfile[0] !== undefined) return ofProfile[0];
  for (const { field } of ofProfile) kept.delete(field);
  const owner = segments.length > 0 ? 'the object around it' : `the ${ownerWord(file.identity.kind)} itself`;
  const sentences = [
    `${quoted(key)} is a group of another tool, which is not read.`,
    ...(words.length === 0
      ? []
      : [`${words.join(', ')} belong${words.length === 1 ? 's' : ''} to ${owner}: move ${words.length === 1 ? 'it' : 'them'} there.`]),
    ...(ofProfile.length === 0
      ? []
      : [`${listed(ofProfile.map(({ field }) => field))} belong${ofProfile.length === 1 ? 's' : ''} in the llm profile.`]),
    ...(kept.size === 0 ? [] : [`No field takes ${listed([...kept])}, or it is there already.`]),
  ];
  const isLeftOver = moves.length === 0 && ofProfile.length === 0;
  return {
    message: sentences.join(' '),
    moves,
    ...(isLeftOver && { replaced: [pointerOf(...segments, key)] }),
    safe: safe && kept.size + ofProfile.length === 0,
  };
}

/** What other tools call the one key of a file: what it is, or its name. A payload may have any key. */
function wholeNames({ identity: { kind, name } }: ConfigFile): readonly string[] {
  return kind === 'payload' || kind === 'settings' ? [] : [kind, name];
}

/** What stands in an object, or will once the names of other tools in it, and the groups before `key`, are mended. */
export function takenFields(around: Json | undefined, key: string, names: readonly string[]): readonly string[] {
  if (!isObject(around)) return [];
  const foreign = foreignFieldsOf(around, names);
  const at = foreign.findIndex(({ from }) => from[0] === key);
  const others = foreign.filter(({ from }, index) => from[0] !== key && (from.length === 1 || index < at));
  return [...Object.keys(around), ...others.map(({ field }) => field)];
}

/** Fields of an agent at the root of system.json: all agents share them under `agent_defaults`. */
export function homeOfDefaults({ file, key, segments }: ForeignKey): ForeignHome | undefined {
  if (file.identity.kind !== 'system' || segments.length > 0) return undefined;
  const value = valueAt(file.value, pointerOf(key));
  const names = fieldsAt('system', ['agent_defaults']) ?? [];
  const found = foreignFieldsOf({ [key]: value ?? null }, names);
  if (found.length === 0) return undefined;
  const moves = movesTo(file.value, found, names);
  const fields = listed([...new Set(found.map(({ field }) => field))]);
  const advice = moves.length === 0 ? 'It is there already: keep one of them.' : 'Move it there.';
  return {
    message: `${quoted(key)} is another tool's place for what all agents share: here, that is under "agent_defaults", as ${fields}. ${advice}`,
    ...(moves.length > 0 ? { moves } : { replaced: [pointerOf(key)] }),
    safe: false,
  };
}

/** Moves to those `agent_defaults` that are not there yet. */
export function movesTo(system: Json | undefined, found: ReturnType<typeof foreignFieldsOf>, names: readonly string[]): readonly Move[] {
  const defaults = valueAt(system, '/agent_defaults');
  const taken = new Set(
    isObject(defaults) ? [...Object.keys(defaults), ...foreignFieldsOf(defaults, names).map(({ field }) => field)] : [],
  );
  return found.flatMap(({ field, from }): readonly Move[] => {
    if (taken.has(field)) return [];
    taken.add(field);
    return [{ from: pointerOf(...from), to: pointerOf('agent_defaults', field) }];
  });
}

function ownerWord(kind: Kind): string {
  return kind === 'llm' ? 'profile' : isForeignMcpKind(kind) ? 'file' : kind;
}
