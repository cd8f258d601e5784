import type { Tool } from './types.js';

/**
 * Which tools a run may call without being asked: none, all, or those that one of the entries means. `server/tool` is a tool of that MCP server;
 * an entry without `/` is what the agent calls a tool, or `server_tool`. `*` stands for any characters.
 */
export type AllowedTools = 'none' | 'all' | readonly string[];

type NamedTool = Pick<Tool, 'name' | 'origin'>;

export function isAllowed(allowed: AllowedTools, tool: NamedTool): boolean {
  return typeof allowed === 'string' ? allowed === 'all' : allowed.some((entry) => meansTool(entry, tool));
}

export function meansTool(entry: string, tool: NamedTool): boolean {
  return namesOf(tool).some((name) => name.includes('/') === entry.includes('/') && matches(entry, name));
}

/** By which an entry may mean a tool; the last leaves no doubt. */
export function namesOf({ name, origin }: NamedTool): readonly string[] {
  return origin.type === 'mcp' ? [name, `${origin.client_id}_${origin.name}`, `${origin.client_id}/${origin.name}`] : [name];
}

/** Part by part, so that no pattern takes longer than the name is long. */
function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const [first = '', last = ''] = [parts.at(0), parts.at(-1)];
  if (parts.length === 1) return pattern === name;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  const end = name.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
