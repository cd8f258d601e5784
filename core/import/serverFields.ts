import { isObject, type Json, type JsonObject } from '../json.js';
import { findForeignName } from '../otherTools/fieldNames.js';
import type { At, Draft } from '../otherTools/types.js';
import { within } from '../otherTools/values.js';
import { fieldsAt } from '../schema/kindFields.js';
import { quoted } from '../words.js';

const fields = fieldsAt('mcp', ['servers', 'id']) ?? [];
/** Whether it is used is said by `client_ids` here, and `timeout` is in milliseconds there too. */
const others = ['enabled', 'disabled', 'timeout'];

/** The fields of a server in our form; undefined where it cannot be reached in a way that we know. */
export function serverFields(value: Json, at: At, draft: Pick<Draft, 'note'>): JsonObject | undefined {
  if (!isObject(value)) {
    draft.note(at, 'The server is left out: it is not an object.');
    return undefined;
  }
  const own: Record<string, Json> = {};
  for (const [key, part] of Object.entries(value)) {
    const field = fields.includes(key) ? key : findForeignName(key, fields)?.replacement;
    if (field !== undefined && field !== 'timeout_ms') own[field] ??= part;
    else if (!others.includes(key)) draft.note(within(at, key), `${quoted(key)} of an MCP server has no counterpart and is left out.`);
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
    draft.note(at, 'The transport "sse" is not spoken here: the server is reached by streamable HTTP at the same address.');
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

/** Without what is not text, as a number for a port. A variable that is a whole value, or follows a scheme, is one here too. */
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
