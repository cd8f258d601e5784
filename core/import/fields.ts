import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import type { Kind } from '../kinds.js';
import { findForeignName, foreignFieldsOf, inOurUnit, isModelParameter } from '../otherTools/fieldNames.js';
import type { At, Draft, LostFields, NamedTools, TakenFields } from '../otherTools/types.js';
import { within } from '../otherTools/values.js';
import { fieldsAt } from '../schema/kindFields.js';
import { listed, quoted } from '../words.js';

export function takeFields(
  value: JsonObject,
  kind: Kind,
  at: At,
  advice: Readonly<Record<string, string | null>>,
  draft: Pick<Draft, 'note'>,
): TakenFields {
  const names = fieldsAt(kind, []) ?? [];
  const taken: TakenFields = { fields: {}, from: {} };
  const take = (field: string, found: Json, pointer: string) => {
    taken.fields[field] = nested(kind, field, found);
    taken.from[field] = at.pointer + pointer;
  };
  // Our own names win over those of other tools. Both call something `prompts`, which there holds texts.
  const isOwn = (key: string, part: Json) =>
    names.includes(key) && !Object.hasOwn(advice, key) && foreignFieldsOf({ [key]: part }, names).length === 0;
  for (const [key, part] of Object.entries(value)) if (isOwn(key, part) && part !== null) take(key, part, pointerOf(key));
  for (const [key, part] of Object.entries(value)) {
    if (isOwn(key, part)) continue;
    if (Object.hasOwn(advice, key)) {
      const words = advice[key];
      if (words) draft.note({ ...at, pointer: at.pointer + pointerOf(key) }, `${quoted(key)} has no counterpart. ${words}`);
      continue;
    }
    if (part === null) continue;
    if (kind === 'llm' && isModelParameter(key)) {
      const options = isObject(taken.fields.options) ? taken.fields.options : {};
      if (!Object.hasOwn(options, key)) take('options', { ...options, [key]: part }, pointerOf(key));
      continue;
    }
    const rest = new Set(isObject(part) ? Object.keys(part).filter((inner) => part[inner] !== null) : []);
    let isTaken = false;
    for (const { field, from } of foreignFieldsOf({ [key]: part }, names)) {
      const written = valueAt(value, pointerOf(...from));
      const own = written === undefined ? undefined : inOurUnit(from.at(-1) ?? '', field, written);
      if (own === undefined || Object.hasOwn(taken.fields, field)) continue;
      take(field, own, pointerOf(...from));
      isTaken = true;
      if (from.length > 1) rest.delete(from.at(-1) ?? '');
      else rest.clear();
    }
    if (isTaken && rest.size === 0) continue;
    const home = kind === 'agent' || kind === 'persona' ? homeInProfile(key) : undefined;
    if (home !== undefined) {
      draft.note(within(at, key), `${quoted(key)} is left out: it belongs in the llm profile, as ${quoted(home)}.`);
      continue;
    }
    const what = isTaken ? listed([...rest].map((inner) => `${key}.${inner}`)) : quoted(key);
    draft.note(
      { ...at, pointer: at.pointer + pointerOf(key) },
      `${what} ${rest.size > 1 && isTaken ? 'have' : 'has'} no counterpart and ${rest.size > 1 && isTaken ? 'are' : 'is'} left out.`,
    );
  }
  return taken;
}

/** The place in an llm profile of what says how a model is reached, or only its provider understands. */
function homeInProfile(key: string): string | undefined {
  return isModelParameter(key) ? `options.${key}` : findForeignName(key, ['base_url', 'api_key_env'])?.replacement;
}

/** `tracing: {sampleRate}` in our names. */
function nested(kind: Kind, field: string, value: Json): Json {
  const names = fieldsAt(kind, [field]);
  if (names === undefined || !isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]): [string, Json] => {
    const [renamed] = foreignFieldsOf({ [key]: part }, names);
    return [names.includes(key) || renamed === undefined ? key : renamed.field, part];
  });
  return Object.fromEntries(entries);
}

export function noteLost(value: JsonObject, at: At, { kept, advice = {}, of }: LostFields, draft: Pick<Draft, 'note'>): void {
  for (const [key, part] of Object.entries(value)) {
    const words = Object.hasOwn(advice, key) ? advice[key] : undefined;
    if (isEmpty(part) || (words === undefined && (kept === undefined || kept.has(key)))) continue;
    const what = of === undefined ? quoted(key) : `${quoted(key)} of ${of}`;
    draft.note(
      within(at, key),
      words === undefined ? `${what} has no counterpart and is left out.` : `${what} has no counterpart. ${words}`,
    );
  }
}

function isEmpty(value: Json): boolean {
  return value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Built-in tools of coding agents, with our tool that does the same. */
const counterparts: ReadonlyMap<string, string> = new Map(
  Object.entries({
    read: 'read_file',
    fs_read: 'read_file',
    notebookread: 'read_file',
    grep: 'search_files',
    glob: 'search_files',
    search: 'search_files',
    list: 'search_files',
    ls: 'search_files',
  }),
);

export function toolFields({ builtIn, servers, tools }: NamedTools, at: At, draft: Pick<Draft, 'note' | 'nameOf'>): JsonObject {
  const own = [...new Set(builtIn.flatMap((name) => counterparts.get(name.toLowerCase()) ?? []))];
  const lost = [...new Set(builtIn.filter((name) => !counterparts.has(name.toLowerCase())))];
  if (lost.length > 0)
    draft.note(
      at,
      `${lost.map(quoted).join(', ')} ${lost.length === 1 ? 'is not a tool' : 'are not tools'} here: an agent only reads the project (read_file, search_files). What else it needs comes from an MCP server, or from a tool of your own (docs/tools.md).`,
    );
  const client_ids = [...new Set([...servers, ...tools.map(({ server }) => server)])].map((server) => draft.nameOf('server', server, at));
  if (own.length + client_ids.length === 0) return {};
  const fields = { agent_type: 'react', ...(client_ids.length > 0 && { client_ids }) };
  const named = [...own, ...new Set(tools.map(({ name }) => name))];
  if (servers.length === 0) return { ...fields, enabled_tools: named };
  if (named.length > 0)
    draft.note(
      at,
      `${named.map(quoted).join(', ')} ${named.length === 1 ? 'is' : 'are'} not listed: the agent may use every tool of ${servers.map(quoted).join(', ')}, and enabled_tools would allow nothing but what it names. List the tools (agent-stack tools) and name all of them.`,
    );
  return fields;
}

const serverKeys = fieldsAt('mcp', ['servers', 'id']) ?? [];
/** Here, `client_ids` decides whether a server is used; `timeout` is in milliseconds in both. */
const keysOfOthers = ['enabled', 'disabled', 'timeout'];

/** The fields of a server in our form; undefined where it cannot be reached in a way that we know. */
export function serverFields(value: Json, at: At, draft: Pick<Draft, 'note'>): JsonObject | undefined {
  if (!isObject(value)) {
    draft.note(at, 'The server is left out: it is not an object.');
    return undefined;
  }
  const own: Record<string, Json> = {};
  for (const [key, part] of Object.entries(value)) {
    const field = serverKeys.includes(key) ? key : findForeignName(key, serverKeys)?.replacement;
    if (field !== undefined && field !== 'timeout_ms') own[field] ??= part;
    else if (!keysOfOthers.includes(key))
      draft.note(within(at, key), `${quoted(key)} of an MCP server has no counterpart and is left out.`);
  }
  const { type, command, args, env, cwd, headers } = own;
  const address = typeof own.url === 'string' ? own.url : undefined;
  const { timeout } = value;
  const list = Array.isArray(command) ? command : [command, ...(Array.isArray(args) ? args : [])];
  const words = list.filter((word: Json | undefined): word is string => typeof word === 'string');
  if (address === undefined && words.length === 0) {
    draft.note(at, 'The server is left out: it has neither a command nor an address.');
    return undefined;
  }
  if (type === 'sse')
    draft.note(at, 'The transport "sse" is not supported here: the server is reached by streamable HTTP at the same address.');
  const timeout_ms = typeof timeout === 'number' && Number.isInteger(timeout) && timeout > 0 ? { timeout_ms: timeout } : {};
  const server =
    address !== undefined
      ? { type: 'http', url: address, ...(isObject(headers) && { headers: texts(headers) }), ...timeout_ms }
      : {
          type: 'stdio',
          command: words[0] ?? '',
          ...(words.length > 1 && { args: words.slice(1) }),
          ...(isObject(env) && { env: texts(env) }),
          ...(typeof cwd === 'string' && { cwd }),
          ...timeout_ms,
        };
  return placeholders(server) as JsonObject;
}

/** Strings only: a number, such as a port, becomes one. A variable that is a whole value, or follows a scheme, stays one. */
function texts(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === null || typeof item === 'object' ? [] : [[key, String(item).replace(/^((?:[A-Za-z]+ )?)\$([A-Za-z_]\w*)$/, '$1${env:$2}')]],
    ),
  );
}

function placeholders(value: Json): Json {
  if (typeof value === 'string')
    return value.replace(/\{env:([A-Za-z_]\w*)\}/g, (whole, name: string, index: number) =>
      value[index - 1] === '$' ? whole : `\${env:${name}}`,
    );
  if (Array.isArray(value)) return value.map((item: Json) => placeholders(item));
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, placeholders(item)])) : value;
}
