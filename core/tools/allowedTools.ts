import type { Tool } from './types.js';

/**
 * Which tools a run may call without approval: none, all, or those that an entry matches. `server/tool` is a tool of that MCP server; an entry
 * without `/` is the agent's name for a tool, or `server_tool`. `*` matches any characters.
 */
export type AllowedTools = 'none' | 'all' | readonly string[];

type NamedTool = Pick<Tool, 'name' | 'origin'>;

export function isAllowed(allowed: AllowedTools, tool: NamedTool): boolean {
  return typeof allowed === 'string' ? allowed === 'all' : allowed.some((entry) => matchesTool(entry, tool));
}

export function matchesTool(entry: string, tool: NamedTool): boolean {
  return namesOf(tool).some((name) => name.includes('/') === entry.includes('/') && matches(entry, name));
}

/** The names that an entry may use for a tool; the last is unambiguous. */
export function namesOf({ name, origin }: NamedTool): readonly string[] {
  return origin.type === 'mcp' ? [name, `${origin.client_id}_${origin.name}`, `${origin.client_id}/${origin.name}`] : [name];
}

/** Part by part, in time linear in the length of the name. */
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
