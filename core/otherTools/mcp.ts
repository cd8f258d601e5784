import { isObject, type Json } from '../json.js';
import { quoted } from '../words.js';
import type { ServerFact, ToolFile, ToolRule } from './toolFiles.js';
import type { OtherTool } from './types.js';

/** The same name for two servers: whoever moves from one tool to another gets something else. */
const serverDiffers: ToolRule = {
  code: 'mcp/server-differs',
  tool: 'any',
  severity: 'warning',
  source: { address: 'https://modelcontextprotocol.io/docs/learn/architecture', date: '2026-11-26' },
  check(file, { files }, report) {
    for (const server of file.facts.servers ?? []) {
      const other = files.find(
        (candidate) => candidate.path < file.path && candidate.folder === file.folder && differing(candidate, server) !== undefined,
      );
      const twin = other && differing(other, server);
      if (other === undefined || twin === undefined) continue;
      report({
        pointer: server.pointer,
        target: 'key',
        message: `The server ${quoted(server.name)} is another one in ${other.path}: agents that name it reach a different server there. Give one of them another name, or define both alike.`,
        related: [{ file: other, pointer: twin.pointer, message: 'The other definition is here.' }],
      });
    }
  },
};

/** A server of that name in another list that is reached in another way; not where either way is not known. */
function differing({ facts }: ToolFile, { name, value }: ServerFact): ServerFact | undefined {
  const twin = facts.servers?.find((server) => server.name === name);
  const ways = twin && [wayOf(value), wayOf(twin.value)];
  return ways?.every((way) => way !== undefined) && ways[0] !== ways[1] ? twin : undefined;
}

/** Where a server is, or the program that it is: what does not depend on how a tool spells variables. Undefined where that cannot be told. */
function wayOf(server: Json): string | undefined {
  if (!isObject(server)) return undefined;
  const address = [server.url, server.serverUrl, server.httpUrl].find((field) => typeof field === 'string');
  const { command, args } = server;
  const words = Array.isArray(command)
    ? command
    : typeof command === 'string'
      ? [command, ...(Array.isArray(args) ? args : [])]
      : undefined;
  if ((address === undefined) === (words === undefined)) return undefined;
  const way = address === undefined ? JSON.stringify(words) : String(address).replace(/\/$/, '');
  return /[$%{]/.test(way) ? undefined : way;
}

/** What is true of every list of MCP servers, whichever tool reads it. */
export const mcp: OtherTool = { id: 'mcp', rules: [serverDiffers] };
