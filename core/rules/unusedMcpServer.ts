import { serversIn } from '../config/mcpFiles.js';
import { pointerOf } from '../json.js';
import { quoted } from '../words.js';
import type { Rule } from './rule.js';

/**
 * A server of mcp.json that no agent, persona, task or system file names. Silent until every file of the project has been read, and while the
 * project has no agent.
 */
export const unusedMcpServer: Rule = {
  code: 'unused-mcp-server',
  severity: 'hint',
  kinds: ['mcp'],
  on: 'value',
  check({ value }, { project }, report) {
    if (!project.complete || project.ids('agent').size === 0) return;
    for (const [id] of serversIn('mcp', value)) {
      if (project.referencesTo('mcp', id).length > 0) continue;
      report({
        pointer: pointerOf('servers', id),
        target: 'key',
        message: `No agent uses the MCP server ${quoted(id)}. Name it in the "client_ids" of one, or remove it.`,
        data: { id },
      });
    }
  },
};
