import { serversIn } from '../config/mcpFiles.js';
import { pointerOf } from '../json.js';
import { mcpLists } from '../otherTools/index.js';
import { quoted } from '../words.js';
import type { Rule } from './rule.js';

const typedLists = mcpLists.filter(({ addressNeedsType }) => addressNeedsType);

/** A server of .mcp.json with an address and no type: Claude Code takes it for a program, finds no command, and skips it silently. */
export const mcpTypeMissing: Rule = {
  code: 'mcp-type-missing',
  severity: 'warning',
  kinds: typedLists.map(({ kind }) => kind),
  on: 'value',
  check({ identity, value }, _context, report) {
    const list = typedLists.find(({ kind }) => kind === identity.kind);
    if (list === undefined) return;
    for (const [id, { url, type, command }] of serversIn(list.kind, value)) {
      if (typeof url !== 'string' || type !== undefined || command !== undefined) continue;
      const transport = /\/sse\/?$/.test(url) ? 'sse' : 'http';
      report({
        pointer: pointerOf(list.key, id, 'url'),
        target: 'key',
        message: `The server ${quoted(id)} has a url and no type, so ${list.reader} skips it. Write "type": ${quoted(transport)}.`,
        data: { type: transport },
      });
    }
  },
};
