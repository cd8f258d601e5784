import { isObject, type Json, pointerOf, valueAt } from '../json.js';
import type { ImportSource } from './importSource.js';
import type { NamedFact, ServerFact, ToolFacts } from './toolFiles.js';
import { stemOf, textField } from './values.js';

/** The MCP servers of an object, by name. A server that is not an object is included: rules report it. */
export function serversAt({ value }: ImportSource, pointer: string): readonly ServerFact[] {
  const servers = valueAt(value, pointer);
  if (!isObject(servers)) return [];
  return Object.entries(servers).map(([name, server]) => ({ name, pointer: pointer + pointerOf(name), value: server }));
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
