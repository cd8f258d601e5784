import { isObject, type Json, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';

/** The kinds of file that list MCP servers. */
export type McpKind = Extract<Kind, 'mcp' | 'rootMcp' | 'vscodeMcp'>;

/** What reads a list of MCP servers, and what it understands in one. */
export interface McpFile {
  /** Where the servers are. */
  readonly key: 'servers' | 'mcpServers';
  /** What reads it, as the subject of a sentence. */
  readonly reader: string;
  /** The placeholders that are filled in, for messages. */
  readonly forms: string;
  /** An environment variable as this file names one. */
  readonly variable: (name: string) => string;
}

export const mcpFiles: Readonly<Record<McpKind, McpFile>> = {
  mcp: {
    key: 'servers',
    reader: 'A run',
    forms: '${env:NAME}, ${NAME}, ${NAME:-fallback}, ${input:id} and ${workspaceFolder}',
    variable: (name) => `\${env:${name}}`,
  },
  rootMcp: { key: 'mcpServers', reader: 'Claude Code', forms: '${NAME} and ${NAME:-fallback}', variable: (name) => `\${${name}}` },
  vscodeMcp: {
    key: 'servers',
    reader: 'VS Code',
    forms: '${env:NAME}, ${input:id}, ${workspaceFolder} and other predefined variables',
    variable: (name) => `\${env:${name}}`,
  },
};

export function isMcpKind(kind: Kind): kind is McpKind {
  return kind === 'mcp' || isForeignMcpKind(kind);
}

/** The lists that other tools read. They have fields and placeholders of their own, and agents of the project do not use their servers. */
export function isForeignMcpKind(kind: Kind): kind is 'rootMcp' | 'vscodeMcp' {
  return kind === 'rootMcp' || kind === 'vscodeMcp';
}

/** The servers of a list that are objects, by id. */
export function serversIn(kind: McpKind, value: Json | undefined): readonly (readonly [id: string, server: JsonObject])[] {
  const servers = isObject(value) ? value[mcpFiles[kind].key] : undefined;
  if (!isObject(servers)) return [];
  return Object.entries(servers).flatMap(([id, server]) => (isObject(server) ? [[id, server] as const] : []));
}

/** Whether a program is a shell: what its arguments say of `$` is for it to read. */
export function isShell(command: Json | undefined): boolean {
  return typeof command === 'string' && /(?:^|[\\/])(?:(?:ba|z|da|fi|k)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i.test(command);
}
