import type { McpInput } from '../generated/types.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { mcpLists } from '../otherTools/index.js';
import type { McpReading } from '../otherTools/types.js';
import type { ProjectIndex } from './projectIndex.js';

/** The kinds of file that list MCP servers. */
export type McpKind = Extract<Kind, 'mcp' | 'rootMcp' | 'vscodeMcp'>;

const own: McpReading = {
  key: 'servers',
  reader: 'A run',
  variables: 'both',
  forms: '${env:NAME}, ${NAME}, ${NAME:-fallback}, ${input:id} and ${workspaceFolder}',
  variable: (name) => `\${env:${name}}`,
  secret: 'secret://NAME',
  folders: { workspaceFolder: 'the project folder' },
};

export const mcpFiles = { mcp: own, ...Object.fromEntries(mcpLists.map((list) => [list.kind, list])) } as Readonly<
  Record<McpKind, McpReading>
>;

export function isMcpKind(kind: Kind): kind is McpKind {
  return kind === 'mcp' || isForeignMcpKind(kind);
}

/** The lists that other tools read. They have other fields and placeholders, and agents of the project do not use their servers. */
export function isForeignMcpKind(kind: Kind): kind is 'rootMcp' | 'vscodeMcp' {
  return mcpLists.some((list) => list.kind === kind);
}

/** The servers of a list that are objects, by id. */
export function serversIn(kind: McpKind, value: Json | undefined): readonly (readonly [id: string, server: JsonObject])[] {
  const servers = isObject(value) ? value[mcpFiles[kind].key] : undefined;
  if (!isObject(servers)) return [];
  return Object.entries(servers).flatMap(([id, server]) => (isObject(server) ? [[id, server] as const] : []));
}

/** Whether a program is a shell, which expands `$` in its arguments itself. */
export function isShell(command: Json | undefined): boolean {
  return typeof command === 'string' && /(?:^|[\\/])(?:(?:ba|z|da|fi|k)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i.test(command);
}

/** The `inputs` that mcp.json defines, if one of the agents has servers: their commands and addresses may refer to them. */
export function mcpInputs(project: Pick<ProjectIndex, 'value'>, agents: Iterable<{ readonly servers: JsonObject }>): readonly McpInput[] {
  const hasServers = [...agents].some(({ servers }) => Object.keys(servers).length > 0);
  const inputs = hasServers ? project.value('mcp', 'mcp')?.inputs : undefined;
  // The schema of mcp.json was checked with the agents.
  return Array.isArray(inputs) ? (inputs as unknown as readonly McpInput[]) : [];
}
