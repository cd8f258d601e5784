import { serversIn } from '../config/mcpFiles.js';
import { pointerOf } from '../json.js';
import type { Rule } from './rule.js';
import { shown } from './support/words.js';

/** A server of .mcp.json with an address and no type: Claude Code takes it for a program, finds no command, and leaves it out without a word. */
export const mcpTypeMissing: Rule = {
  code: 'mcp-type-missing',
  severity: 'warning',
  kinds: ['rootMcp'],
  on: 'value',
  check({ value }, _context, report) {
    for (const [id, { url, type, command }] of serversIn('rootMcp', value)) {
      if (typeof url !== 'string' || type !== undefined || command !== undefined) continue;
      const meant = /\/sse\/?$/.test(url) ? 'sse' : 'http';
      report({
        pointer: pointerOf('mcpServers', id, 'url'),
        target: 'key',
        message: `The server ${shown(id)} has a url and no type, so Claude Code leaves it out. Write "type": ${shown(meant)}.`,
        data: { type: meant },
      });
    }
  },
};
