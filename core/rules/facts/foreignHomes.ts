import type { ConfigFile } from '../../config/configFile.js';
import { defaultProvider } from '../../config/defaults.js';
import { isForeignMcpKind } from '../../config/mcpFiles.js';
import { pathOf } from '../../config/paths.js';
import type { ProjectIndex } from '../../config/projectIndex.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../json.js';
import { isLegalName, type Kind } from '../../kinds.js';
import { keyFiles } from '../../otherTools/aurite.js';
import { fieldsInGroup, findForeignName, foreignFieldsOf, isForeignGroup, isModelParameter } from '../../otherTools/fieldNames.js';
import { otherTools } from '../../otherTools/index.js';
import type { ForeignHome, ForeignKey, Move } from '../../otherTools/types.js';
import { fieldsAt } from '../../schema/kindFields.js';
import { listed, quoted } from '../../words.js';

/** A `ForeignKey` in a file of the project. */
interface KeyInProject extends Pick<ForeignKey, 'key' | 'segments' | 'names'> {
  readonly file: ConfigFile;
  readonly project: ProjectIndex;
}

/** The home of a value that another tool keeps under a key, when that is more than another name in the same object. */
export function findForeignHome(key: KeyInProject): ForeignHome | undefined {
  return (
    homeOfLlmName(key) ??
    homeOfGroup(key) ??
    homeOfPromptText(key) ??
    homeOfTools(key) ??
    profileHome(key, key.key, [...key.segments, key.key]) ??
    homeOfDefaults(key)
  );
}

/** The home that one of the tools gives a key. */
function homeOfTools(key: KeyInProject): ForeignHome | undefined {
  const { file, project } = key;
  const foreign: ForeignKey = {
    ...key,
    pathOf: (kind, id) => pathOf(kind, id, project.settings),
    movesToDefaults: (value) => movesToDefaults(file, value),
    inOurNames,
  };
  for (const { homeOf } of otherTools) {
    const home = homeOf?.(foreign);
    if (home !== undefined) return home;
  }
  return undefined;
}

function valueUnder({ file, key, segments }: KeyInProject): Json | undefined {
  return valueAt(file.value, pointerOf(...segments, key));
}

/** `llm: "name"`: a profile where there is one of that name, otherwise a model. */
function homeOfLlmName(foreign: KeyInProject): ForeignHome | undefined {
  const { file, project, key, segments, names } = foreign;
  const name = valueUnder(foreign);
  if (key !== 'llm' || typeof name !== 'string' || !names.includes('llm_config_id')) return undefined;
  const field = project.ids('llm').has(name) ? 'llm_config_id' : 'model_name';
  const to = pointerOf(...segments, field);
  const isTaken = valueAt(file.value, to) !== undefined;
  const advice = isTaken ? `${quoted(field)} is there too: keep one of them.` : `Move it to ${quoted(field)}.`;
  return {
    message: `${quoted(key)} is another tool's name for "llm_config_id", an llm profile, or "model_name". ${advice}`,
    ...(isTaken ? { replaced: [pointerOf(...segments, key)] } : { moves: [{ from: pointerOf(...segments, key), to }] }),
    safe: false,
  };
}

const promptFields = ['system_text', 'purpose_text', 'prompts'];

/** `prompts: {system: "You are ..."}`: in Agent Stack, `prompts` names files of the prompt store, and texts are fields of the agent. */
function homeOfPromptText(foreign: KeyInProject): ForeignHome | undefined {
  const { file, key, segments } = foreign;
  const text = valueUnder(foreign);
  const around = segments.slice(0, -1);
  if (segments.at(-1) !== 'prompts' || typeof text !== 'string') return undefined;
  const [home] = foreignFieldsOf({ prompts: { [key]: text } }, promptFields);
  if (home === undefined) return undefined;
  const to = pointerOf(...around, home.field);
  const isTaken = takenFields(valueAt(file.value, pointerOf(...around)), 'prompts', promptFields).includes(home.field);
  const advice = isTaken ? `${quoted(home.field)} is there already: put the two together.` : 'Move it there.';
  return {
    message: `${quoted(key)} in prompts is another tool's place for ${quoted(home.field)}: here, prompts names files of the prompt store. ${advice}`,
    ...(!isTaken && { moves: [{ from: pointerOf(...segments, key), to }] }),
    safe: home.safe && !isTaken,
  };
}

/** `llm: {model, temperature}`: its fields belong to the agent. So do those of the whole file in `{"agent": {...}}`. */
function homeOfGroup(foreign: KeyInProject): ForeignHome | undefined {
  const { file, key, segments, names } = foreign;
  const group = valueAt(file.value, pointerOf(...segments, key));
  const isWhole = isObject(group) && segments.length === 0 && wholeNames(file).includes(key);
  if (!isObject(group) || !(isForeignGroup(key, group, names) || isWhole)) return undefined;
  const taken = new Set(takenFields(valueAt(file.value, pointerOf(...segments)), key, names));
  const moves: Move[] = [];
  const words: string[] = [];
  const kept = new Set(Object.keys(group));
  let safe = true;
  const addMove = (from: string, field: string, isSafe: boolean) => {
    if (taken.has(field)) return;
    taken.add(field);
    kept.delete(from);
    moves.push({ from: pointerOf(...segments, key, from), to: pointerOf(...segments, field) });
    words.push(from === field ? quoted(field) : `${quoted(from)} (as ${quoted(field)})`);
    safe &&= isSafe;
  };
  for (const { field, from, safe: isSafe } of fieldsInGroup(key, group, names)) addMove(from.at(-1) ?? '', field, isSafe);
  // The fields of a whole file are checked once they are at the root.
  if (isWhole) for (const other of [...kept]) addMove(other, other, false);
  const profileHomes = [...kept].flatMap((inner) => profileHome(foreign, inner, [...segments, key, inner]) ?? []);
  if (moves.length === 0 && profileHomes[0] !== undefined) return profileHomes[0];
  for (const { field } of profileHomes) kept.delete(field);
  const owner = segments.length > 0 ? 'the object around it' : `the ${ownerWord(file.identity.kind)} itself`;
  const sentences = [
    `${quoted(key)} is a group of another tool, which is not read.`,
    ...(words.length === 0
      ? []
      : [`${words.join(', ')} belong${words.length === 1 ? 's' : ''} to ${owner}: move ${words.length === 1 ? 'it' : 'them'} there.`]),
    ...(profileHomes.length === 0
      ? []
      : [`${listed(profileHomes.map(({ field }) => field))} belong${profileHomes.length === 1 ? 's' : ''} in the llm profile.`]),
    ...(kept.size === 0 ? [] : [`No field takes ${listed([...kept])}, or it is there already.`]),
  ];
  const isLeftOver = moves.length === 0 && profileHomes.length === 0;
  return {
    message: sentences.join(' '),
    moves,
    ...(isLeftOver && { replaced: [pointerOf(...segments, key)] }),
    safe: safe && kept.size + profileHomes.length === 0,
  };
}

/** The names by which other tools wrap a whole file in one key: its kind, or its name. A payload may have any key. */
function wholeNames({ identity: { kind, name } }: ConfigFile): readonly string[] {
  return kind === 'payload' || kind === 'settings' ? [] : [kind, name];
}

/** The keys of an object once other tools' names in it, and the groups before `key`, are fixed. */
function takenFields(around: Json | undefined, key: string, names: readonly string[]): readonly string[] {
  if (!isObject(around)) return [];
  const foreign = foreignFieldsOf(around, names);
  const at = foreign.findIndex(({ from }) => from[0] === key);
  const otherFields = foreign.filter(({ from }, index) => from[0] !== key && (from.length === 1 || index < at));
  return [...Object.keys(around), ...otherFields.map(({ field }) => field)];
}

/** Fields of an agent at the root of system.json, which belong under `agent_defaults`. */
function homeOfDefaults({ file, key, segments }: KeyInProject): ForeignHome | undefined {
  if (file.identity.kind !== 'system' || segments.length > 0) return undefined;
  const value = { [key]: valueAt(file.value, pointerOf(key)) ?? null };
  const names = fieldsAt('system', ['agent_defaults']) ?? [];
  const foreignFields = foreignFieldsOf(value, names);
  if (foreignFields.length === 0) return undefined;
  const moves = movesToDefaults(file, value);
  const fields = listed([...new Set(foreignFields.map(({ field }) => field))]);
  const advice = moves.length === 0 ? 'It is there already: keep one of them.' : 'Move it there.';
  return {
    message: `${quoted(key)} is another tool's place for what all agents share: here, that is under "agent_defaults", as ${fields}. ${advice}`,
    ...(moves.length > 0 ? { moves } : { replaced: [pointerOf(key)] }),
    safe: false,
  };
}

/** Moves into `agent_defaults` for the fields that it lacks. */
function movesToDefaults({ value: system }: ConfigFile, value: JsonObject): readonly Move[] {
  const names = fieldsAt('system', ['agent_defaults']) ?? [];
  const defaults = valueAt(system, '/agent_defaults');
  const taken = new Set(
    isObject(defaults) ? [...Object.keys(defaults), ...foreignFieldsOf(defaults, names).map(({ field }) => field)] : [],
  );
  return foreignFieldsOf(value, names).flatMap(({ field, from }): readonly Move[] => {
    if (taken.has(field)) return [];
    taken.add(field);
    return [{ from: pointerOf(...from), to: pointerOf('agent_defaults', field) }];
  });
}

function ownerWord(kind: Kind): string {
  return kind === 'llm' ? 'profile' : isForeignMcpKind(kind) ? 'file' : kind;
}

/** An object of another tool with its fields renamed to those of a kind; fields without another name stay. */
function inOurNames(value: JsonObject, kind: Kind): JsonObject {
  const names = fieldsAt(kind, []) ?? [];
  const result: Record<string, Json> = {};
  const taken: string[] = [];
  const renamed: JsonObject = Object.fromEntries(
    foreignFieldsOf(value, names).flatMap(({ field, from }) => {
      if (Object.hasOwn(value, field) || taken.includes(field)) return [];
      taken.push(field, pointerOf(...from));
      return [[field, valueAt(value, pointerOf(...from)) as Json]];
    }),
  );
  for (const [key, part] of Object.entries(value)) {
    if (taken.includes(pointerOf(key))) continue;
    if (!isObject(part)) result[key] = part;
    else {
      const rest = Object.entries(part).filter(([inner]) => !taken.includes(pointerOf(key, inner)));
      if (rest.length > 0 || Object.keys(part).length === 0) result[key] = Object.fromEntries(rest);
    }
  }
  return { ...renamed, ...result };
}

/**
 * The home of a key of an agent, or of a group in it, that belongs in the llm profile, such as `top_k` or `base_url`: how a model is reached and what
 * only its provider understands.
 *
 * @param from path of its value
 */
function profileHome(
  { file, project, segments, names }: KeyInProject,
  key: string,
  from: readonly string[],
): (ForeignHome & { readonly field: string }) | undefined {
  if (!names.includes('agent_type')) return undefined;
  const place = keyFiles.has(key) ? ['api_key'] : placeInProfile(key, names);
  if (place === undefined) return undefined;
  const around = valueAt(file.value, pointerOf(...segments));
  const { llm_config_id, provider } = isObject(around) ? around : {};
  const value = valueAt(file.value, pointerOf(...from)) ?? null;
  // A profile takes neither an API key in plain text nor the path of a key file.
  const canMove = place[0] !== 'api_key' || (typeof value === 'string' && value.startsWith('secret://') && !keyFiles.has(key));
  const what = place[0] === 'options' && place.length > 1 ? 'what only the provider understands' : 'how the model is reached';
  const inPlace = place.length > 1 ? `in "options" of its llm profile` : `in its llm profile as ${quoted(place[0])}`;
  const text = (path: string) => `${quoted(key)} is not a field of an agent: ${what} belongs ${inPlace}, ${path}.`;
  const home = { field: key, safe: false };
  if (typeof llm_config_id === 'string') {
    const path = project.ids('llm').get(llm_config_id);
    const profile = project.value('llm', llm_config_id);
    const parent = place.length > 1 ? profile?.[place[0] ?? ''] : profile;
    const isFree = path !== undefined && (parent === undefined || (isObject(parent) && !Object.hasOwn(parent, place.at(-1) ?? '')));
    return {
      ...home,
      message: text(path ?? pathOf('llm', llm_config_id, project.settings)),
      ...(isFree && canMove && { elsewhere: { path, from: pointerOf(...from), to: pointerOf(...place) } }),
    };
  }
  const id = file.identity.name;
  const path = pathOf('llm', id, project.settings);
  if (segments.length > 0 || llm_config_id !== undefined || !canMove || !isLegalName(id) || project.ids('llm').has(id))
    return { ...home, message: text(pathOf('llm', '{llm_id}', project.settings)) };
  const [first = key, ...inner] = place;
  const profile = {
    llm_id: id,
    provider: provider ?? defaultProvider,
    [first]: inner[0] === undefined ? value : { [inner[0]]: value },
  };
  return { ...home, message: text(path), files: [{ path, value: profile, from: [pointerOf(...from)] }], sets: { '/llm_config_id': id } };
}

/** The path of a key in a profile; undefined where profiles have no such field, or where the agent has it among its fields `own`. */
function placeInProfile(key: string, agentFields: readonly string[]): readonly string[] | undefined {
  if (isModelParameter(key)) return ['options', key];
  const names = fieldsAt('llm', []) ?? [];
  const field = names.includes(key) ? key : findForeignName(key, names)?.replacement;
  return field === undefined || field === 'llm_id' || agentFields.includes(field) ? undefined : [field];
}
