import { isObject, listOf, pointerOf } from '../json.js';
import type { Rule } from './rule.js';
import { splitCommand } from './support/splitCommand.js';
import { shown } from './support/words.js';

/** A server that cannot start as it is written: its `command` is a whole command line. */
export const mcpServerInvalid: Rule = {
  code: 'mcp-server-invalid',
  severity: 'error',
  kinds: ['mcp'],
  on: 'value',
  check({ value }, _context, report) {
    const servers = isObject(value) && isObject(value.servers) ? value.servers : {};
    for (const [id, server] of Object.entries(servers)) {
      const command = isObject(server) ? server.command : undefined;
      const parts = typeof command === 'string' ? splitCommand(command) : undefined;
      if (!isObject(server) || parts === undefined) continue;
      const [program, ...args] = parts;
      report({
        pointer: pointerOf('servers', id, 'command'),
        message: `command names one program, and ${shown(command)} is a whole command line, so the server cannot start. Write "command": ${shown(program)} and the rest into args.`,
        data: { command: program ?? '', args: [...args, ...listOf(server.args)] },
      });
    }
  },
};
