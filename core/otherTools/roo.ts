import type { JsonObject } from '../json.js';
import { listed, quoted } from '../words.js';
import { serversAt, serversIn } from './facts.js';
import type { ToolRule } from './toolFiles.js';
import type { OtherTool } from './types.js';

const types = ['stdio', 'sse', 'streamable-http'];

const serverRefused: ToolRule = {
  code: 'roo/server-refused',
  tool: 'roo',
  severity: 'error',
  source: { address: 'https://github.com/RooCodeInc/Roo-Code/blob/main/src/services/mcp/McpHub.ts', date: '2026-11-27' },
  check(file, _inventory, report) {
    for (const { name, pointer, value } of serversIn(file)) {
      const [key, problem] = problemOf(value) ?? [];
      if (key !== undefined)
        report({ pointer: `${pointer}/${key}`, target: 'key', message: `Roo Code does not start the server ${quoted(name)}: ${problem}` });
    }
  },
};

/** The key that is wrong, and a sentence. */
function problemOf({ command, url, type, ...others }: JsonObject): readonly [key: string, problem: string] | undefined {
  if (command !== undefined && url !== undefined) return ['command', 'it has a command and a url. Remove one of them.'];
  if (url !== undefined && !type)
    return ['url', 'with a url it needs a type. Write "type": "streamable-http", or "sse" for the older transport.'];
  if (type && (typeof type !== 'string' || !types.includes(type)))
    return ['type', `its type has to be ${listed(types, 'or')}, and not ${quoted(type)}.`];
  if (type === 'stdio' && command === undefined) return ['type', 'with "stdio" it needs a command.'];
  if (type && type !== 'stdio' && url === undefined) return ['type', `with ${quoted(type)} it needs a url.`];
  const other = ['serverUrl', 'httpUrl'].find((key) => others[key] !== undefined);
  return other !== undefined && command === undefined && url === undefined
    ? [other, `it reads the address in "url", not in ${quoted(other)}.`]
    : undefined;
}

/** Roo Code's list of MCP servers. */
export const roo: OtherTool = {
  id: 'roo',
  files: [{ place: '.roo/mcp.json', facts: (source) => ({ servers: serversAt(source, '/mcpServers') }) }],
  rules: [serverRefused],
};
