import { serversAt } from './facts.js';
import type { OtherTool } from './types.js';

/** Cursor's list of MCP servers. */
export const cursor: OtherTool = {
  id: 'cursor',
  files: [{ place: '.cursor/mcp.json', facts: (source) => ({ servers: serversAt(source, '/mcpServers') }) }],
};
