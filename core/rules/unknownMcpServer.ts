import { isObject } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { quoted } from '../words.js';
import { knownNames, lacksField, referencesOf } from './referenceRule.js';
import type { Rule, RuleContext } from './rule.js';

/** An entry of `client_ids` that is not a server of mcp.json. */
export const unknownMcpServer: Rule = {
  code: 'unknown-mcp-server',
  severity: 'error',
  kinds: ['agent', 'persona', 'orchestration', 'system'],
  on: 'value',
  check(file, context, report) {
    if (lacksField(file, 'client_ids')) return;
    let servers: ReadonlyMap<string, string> | undefined;
    for (const { kind, id, pointer } of referencesOf(file, context)) {
      if (kind !== 'mcp' || id.includes('${')) continue;
      servers ??= serversOf(context);
      if (servers === undefined) return;
      if (servers.has(id)) continue;
      const path = context.project.ids('mcp').get('mcp');
      const nearest = nearestNames(id, servers.keys());
      const knownText = path === undefined ? ' The project has no mcp.json.' : knownNames(servers);
      report({
        pointer,
        ...(path !== undefined && { related: [{ file: path, pointer: '/servers', target: 'key', message: 'The servers are here.' }] }),
        message: `There is no MCP server ${quoted(id)}.${nearest.length > 0 ? didYouMean(nearest) : knownText}`,
        data: { id, nearest },
      });
    }
  },
};

/** Ids of the servers, empty without mcp.json; undefined where that file cannot be read, which is reported there. */
function serversOf({ project }: RuleContext): ReadonlyMap<string, string> | undefined {
  const path = project.ids('mcp').get('mcp');
  if (path === undefined) return new Map();
  const value = project.value('mcp', 'mcp');
  // `mcpServers` is another tool's name for the servers, which foreign-name reports.
  const servers = value?.servers ?? value?.mcpServers;
  return isObject(servers) ? new Map(Object.keys(servers).map((id) => [id, path])) : undefined;
}
