import { isObject } from '../json.js';
import { listed, quoted } from '../words.js';
import { serversAt, serversIn } from './facts.js';
import type { ToolRule } from './toolFiles.js';
import type { OtherTool } from './types.js';

/** The keys with which Codex refuses a server, by the key that says how it is reached. */
const refused = {
  command: ['url', 'bearer_token_env_var', 'bearer_token', 'http_headers', 'env_http_headers', 'oauth_resource'],
  url: ['args', 'env', 'env_vars', 'cwd', 'bearer_token'],
} as const;

const serverRefused: ToolRule = {
  code: 'codex/server-refused',
  tool: 'codex',
  severity: 'error',
  source: { address: 'https://github.com/openai/codex/blob/main/codex-rs/config/src/mcp_types.rs', date: '2026-11-27' },
  check(file, _inventory, report) {
    for (const { name, pointer, value } of serversIn(file)) {
      const way = (['command', 'url'] as const).find((key) => Object.hasOwn(value, key));
      const key = way && refused[way].find((key) => Object.hasOwn(value, key));
      if (key === undefined) continue;
      report({
        pointer: `${pointer}/${key}`,
        target: 'key',
        message: `Codex does not take ${quoted(key)} in a server with a ${way}, and refuses the whole file. Remove it from ${quoted(name)}${key === 'bearer_token' && way === 'url' ? ', and name an environment variable in "bearer_token_env_var"' : ''}.`,
      });
    }
  },
};

const otherListKeys = ['mcpServers', 'mcp-servers', 'mcp_server', 'mcpservers'];

const serversIgnored: ToolRule = {
  code: 'codex/servers-ignored',
  tool: 'codex',
  severity: 'warning',
  source: { address: 'https://developers.openai.com/codex/mcp', date: '2026-11-27' },
  check({ source: { value } }, _inventory, report) {
    for (const key of otherListKeys)
      if (isObject(value) && isObject(value[key]))
        report({
          pointer: `/${key}`,
          target: 'key',
          message: `Codex reads MCP servers in "mcp_servers" and ignores ${quoted(key)}: it starts none of ${listed(Object.keys(value[key]))}.`,
        });
  },
};

/** Codex's settings of a project, with its MCP servers. */
export const codex: OtherTool = {
  id: 'codex',
  files: [{ place: '.codex/config.toml', facts: (source) => ({ servers: serversAt(source, '/mcp_servers') }) }],
  rules: [serverRefused, serversIgnored],
};
