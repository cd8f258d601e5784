import type { JsonObject } from '../json.js';
import type { At, Draft, NamedTools } from '../otherTools/types.js';
import { quoted } from '../words.js';

/** Built-in tools of coding agents that do what one of ours does. */
const counterparts: Readonly<Record<string, string>> = {
  read: 'read_file',
  fs_read: 'read_file',
  notebookread: 'read_file',
  grep: 'search_files',
  glob: 'search_files',
  search: 'search_files',
  list: 'search_files',
  ls: 'search_files',
};

export function toolFields({ builtIn, servers, tools }: NamedTools, at: At, draft: Pick<Draft, 'note' | 'nameOf'>): JsonObject {
  const own = [...new Set(builtIn.flatMap((name) => counterparts[name.toLowerCase()] ?? []))];
  const lost = [...new Set(builtIn.filter((name) => counterparts[name.toLowerCase()] === undefined))];
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
