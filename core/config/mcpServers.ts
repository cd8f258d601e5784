import { isObject, type JsonObject, pointerOf } from '../json.js';
import { applyReplacements, JsonEdit } from '../jsonText/jsonEdit.js';
import { newFileText } from './fileText.js';
import { parseConfigObject } from './parseConfigFile.js';

/**
 * The text of mcp.json with one more server and nothing else changed.
 *
 * @param text undefined if there is no file yet
 * @param server its definition, or the id of the server to copy
 * @returns undefined for a text that is not a JSON object, has something else under `servers`, or lacks the server to copy
 */
export function addMcpServer(text: string | undefined, id: string, server: JsonObject | string): string | undefined {
  if (text === undefined) return typeof server === 'string' ? undefined : newFileText('mcp', { servers: { [id]: server } });
  const value = parseConfigObject(text);
  const servers = value?.servers ?? {};
  if (value === undefined || !isObject(servers)) return undefined;
  const added = typeof server === 'string' ? servers[server] : server;
  if (added === undefined) return undefined;
  return applyReplacements(text, new JsonEdit(text).set(pointerOf('servers', id), added).replacements());
}

/** The text of mcp.json without a server; undefined if it has no server with that id. */
export function removeMcpServers(text: string, ids: readonly string[]): string | undefined {
  const servers = parseConfigObject(text)?.servers;
  if (!isObject(servers) || !ids.every((id) => Object.hasOwn(servers, id))) return undefined;
  const edit = new JsonEdit(text);
  for (const id of ids) edit.remove(pointerOf('servers', id));
  return applyReplacements(text, edit.replacements());
}
