import { splitCommand } from '../commandLine.js';
import { isMcpKind, mcpFiles, serversIn } from '../config/mcpFiles.js';
import { listOf, pointerOf } from '../json.js';
import { quoted } from '../words.js';
import type { Rule } from './rule.js';

/** A server that cannot start, since its `command` is a whole command line. */
export const mcpServerInvalid: Rule = {
  code: 'mcp-server-invalid',
  severity: 'error',
  kinds: ['mcp', 'rootMcp', 'vscodeMcp'],
  on: 'value',
  check({ identity: { kind }, value }, _context, report) {
    if (!isMcpKind(kind)) return;
    for (const [id, server] of serversIn(kind, value)) {
      const { command } = server;
      const parts = typeof command === 'string' ? splitCommand(command) : undefined;
      if (parts === undefined) continue;
      const [program, ...args] = parts;
      report({
        pointer: pointerOf(mcpFiles[kind].key, id, 'command'),
        message: `command names one program, and ${quoted(command)} is a whole command line, so the server cannot start. Write "command": ${quoted(program)} and put the rest into args.`,
        data: { command: program ?? '', args: [...args, ...listOf(server.args)] },
      });
    }
  },
};
