import { isObject, type Json, pointerOf, segmentsOf, valueAt } from '../json.js';
import type { NamedFact, NamePart, NamePlace, ReadToolFile } from './toolFiles.js';
import type { Naming } from './types.js';

/** A name in a file of another tool. */
export interface ToolName extends NamedFact {
  readonly kind: NamePart['kind'] | 'file';
  readonly role: 'definition' | 'reference';
  /** Default: the name is the value, or a part of it. */
  readonly target?: 'key';
  /** The text that it is written in. */
  readonly text: string;
  /** Where it begins in that text. */
  readonly start: number;
  /** Of a file: its project path. */
  readonly path?: string;
}

/** Every name in a file, as it is written. */
export function namesIn({ kind, facts, source: { value } }: Pick<ReadToolFile, 'kind' | 'facts' | 'source'>): readonly ToolName[] {
  const { servers = [], agents = [], links = [] } = facts;
  return [
    ...servers.map(({ name, pointer }): ToolName => ({ kind: 'server', role: 'definition', name, pointer, target: 'key', ...whole(name) })),
    ...agents.map(({ name, pointer }): ToolName => {
      const isKey = segmentsOf(pointer).at(-1) === name;
      return { kind: 'agent', role: 'definition', name, pointer, ...(isKey && { target: 'key' }), ...whole(name) };
    }),
    ...links.map((link): ToolName => {
      const text = String(valueAt(value, link.pointer));
      return { kind: 'file', role: 'reference', ...link, text, start: Math.max(0, text.indexOf(link.name)) };
    }),
    ...(kind.names ?? []).flatMap((place) => namesAt(place, value)),
  ];
}

function whole(text: string): Pick<ToolName, 'text' | 'start'> {
  return { text, start: 0 };
}

/** The names in the places of one kind. */
function namesAt(place: NamePlace, value: Json): readonly ToolName[] {
  const { at, target, defines } = place;
  return [...matches(value, segmentsOf(at))].flatMap(({ path, value: written }) => {
    const text = target === 'key' ? path.at(-1) : written;
    if (typeof text !== 'string') return [];
    return partsOf(place, text)
      .filter(({ name }) => name !== '')
      .map((part): ToolName => {
        const role = defines === true ? 'definition' : 'reference';
        return { ...part, role, pointer: pointerOf(...path), text, ...(target !== undefined && { target }) };
      });
  });
}

export function partsOf({ kind, read }: NamePlace, text: string): readonly NamePart[] {
  return read?.(text) ?? [{ kind, name: text.trim(), start: text.length - text.trimStart().length }];
}

function* matches(
  value: Json | undefined,
  pattern: readonly string[],
  path: readonly (string | number)[] = [],
): Generator<{ readonly path: readonly (string | number)[]; readonly value: Json }> {
  if (value === undefined) return;
  const [segment, ...below] = pattern;
  if (segment === undefined) yield { path, value };
  else if (segment === '#') {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* matches(item, below, [...path, index]);
  } else if (isObject(value))
    for (const key of segment === '*' ? Object.keys(value) : [segment])
      if (Object.hasOwn(value, key)) yield* matches(value[key], below, [...path, key]);
}

/** Whether a place is one of this kind. */
export function isPlace({ at, target }: NamePlace, path: readonly (string | number)[], side: 'key' | 'value'): boolean {
  const pattern = segmentsOf(at);
  return (
    (target ?? 'value') === side &&
    pattern.length === path.length &&
    path.every((segment, index) => (typeof segment === 'number' ? pattern[index] === '#' : ['*', segment].includes(pattern[index] ?? '')))
  );
}

/** The name by which an agent gets a tool of a server, or all of them. */
export function toolOfServer({ before, between, all, isCleaned }: Naming, server: string, tool?: string): string {
  const name = isCleaned ? server.replace(/[^\w-]/g, '_') : server;
  return before + name + (tool === undefined ? all : between + tool);
}

/** The server of a tool, among those that there are; `tool` is undefined where all of its tools are meant. The longest name counts. */
export function serverOfTool(
  naming: Naming,
  name: string,
  servers: readonly string[],
): { readonly server: string; readonly tool: string | undefined } | undefined {
  const plain = name.replace(/\*$/, '');
  let longest: { readonly server: string; readonly tool: string | undefined; readonly length: number } | undefined;
  for (const server of servers) {
    const head = toolOfServer({ ...naming, all: '' }, server);
    if (plain !== head && !plain.startsWith(head + naming.between)) continue;
    const tool = name.slice(head.length + naming.between.length);
    if (longest === undefined || longest.length < head.length)
      longest = { server, tool: tool === '' || tool.includes('*') ? undefined : tool, length: head.length };
  }
  return longest && { server: longest.server, tool: longest.tool };
}
