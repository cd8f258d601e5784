import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import type { ImportSource } from './importSource.js';
import type { FileAt, Inventory, NamedFact, ServerFact, ToolFacts, ToolFile } from './toolFiles.js';
import { stemOf, textField } from './values.js';

/** The MCP servers of an object, by name. A server that is not an object is included: rules report it. */
export function serversAt({ value }: ImportSource, pointer: string): readonly ServerFact[] {
  const servers = valueAt(value, pointer);
  if (!isObject(servers)) return [];
  return Object.entries(servers).map(([name, server]) => ({ name, pointer: pointer + pointerOf(name), value: server }));
}

/** The servers of a list that may also change servers from elsewhere: those with a command or an address. */
export function definedServersAt(source: ImportSource, pointer: string): readonly ServerFact[] {
  const targets = ['command', 'url', 'httpUrl'];
  return serversAt(source, pointer).filter(({ value }) => isObject(value) && targets.some((key) => Object.hasOwn(value, key)));
}

/** The servers of a list that are objects: rules judge what is in them. */
export function serversIn({ facts: { servers = [] } }: Pick<ToolFile, 'facts'>): readonly (NamedFact & { readonly value: JsonObject })[] {
  return servers.flatMap((server) => (isObject(server.value) ? { ...server, value: server.value } : []));
}

/** The one agent of a file: `name`, or what the file is called. */
export function agentOf(source: ImportSource): ToolFacts {
  const name = textField(source.value, 'name');
  return { agents: [{ name: name ?? stemOf(source), pointer: name === undefined ? '' : '/name' }] };
}

/** The texts of a list. */
export function textsAt(value: Json | undefined, pointer: string): readonly NamedFact[] {
  const list = valueAt(value, pointer);
  if (!Array.isArray(list)) return [];
  return list.flatMap((name, index) => (typeof name === 'string' ? [{ name, pointer: pointer + pointerOf(index) }] : []));
}

/** What is computed of an inventory, once for all of its files: a rule that looks through them for each file takes their number squared. */
export function oncePerInventory<Result>(compute: (inventory: Inventory) => Result): (inventory: Inventory) => Result {
  const results = new WeakMap<Inventory, { readonly result: Result }>();
  return (inventory) => {
    const known = results.get(inventory) ?? { result: compute(inventory) };
    results.set(inventory, known);
    return known.result;
  };
}

/** The files of an inventory, by their project paths. */
export const filesByPath: (inventory: Inventory) => FileAt = oncePerInventory(({ files }) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return (path) => byPath.get(path);
});
