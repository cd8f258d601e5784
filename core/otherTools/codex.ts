import { serversAt } from './facts.js';
import type { OtherTool } from './types.js';

/** Codex's settings of a project, with its MCP servers. */
export const codex: OtherTool = {
  id: 'codex',
  files: [{ place: '.codex/config.toml', facts: (source) => ({ servers: serversAt(source, '/mcp_servers') }) }],
};
