import { expect, test } from 'vitest';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { checkRepository } from '../../core/inventory/checkRepository.js';
import { memoryFiles } from '../support/memoryFiles.js';

async function findingsIn(path: string, text: string): Promise<readonly string[]> {
  const files = memoryFiles({ [path]: text });
  const index = await loadProjectIndex(files, { bare: true });
  const { findings } = await checkRepository({ files, index, variables: { get: () => undefined } });
  expect(JSON.stringify(findings)).not.toContain('correct-horse');
  return findings.map(({ code, pointer }) => `${code} ${pointer}`);
}

const list = (servers: unknown) => JSON.stringify({ mcpServers: servers });

test.each<[string, unknown, readonly string[]]>([
  ['a program', { command: 'docs-mcp', args: ['--read-only'] }, []],
  ['an address', { url: 'https://docs.example.com/mcp' }, []],
  ['a server that is only switched off', { disabled: true }, []],
  ['neither', { cmd: 'docs-mcp' }, ['mcp/server-without-target /mcpServers/docs']],
  ['nothing', {}, ['mcp/server-without-target /mcpServers/docs']],
  ['a text', 'docs-mcp', ['mcp/server-without-target /mcpServers/docs']],
  ['a command line', { command: 'npx -y docs-mcp' }, ['mcp/command-line /mcpServers/docs/command']],
  ['a path with a space', { command: '/Applications/My App/server' }, []],
  ['both', { command: 'docs-mcp', url: 'https://docs.example.com' }, ['mcp/transport-unclear /mcpServers/docs/command']],
  ['a type for an address', { type: 'http', command: 'docs-mcp' }, ['mcp/transport-unclear /mcpServers/docs/type']],
  ['a type for a program', { type: 'stdio', url: 'https://docs.example.com' }, ['mcp/transport-unclear /mcpServers/docs/type']],
  ['a type that nobody knows', { type: 'carrier-pigeon', url: 'https://docs.example.com' }, []],
  ['SSE', { type: 'sse', url: 'https://docs.example.com/sse' }, ['mcp/sse-ends /mcpServers/docs/type']],
  ['a variable in the form of Cursor', { command: 'a', env: { URL: '${env:URL}', HOME: '${userHome}/x', W: '${workspaceFolder}' } }, []],
  [
    'a variable in another form',
    { command: 'a', env: { DOCS_URL: '${DOCS_URL}' } },
    ['mcp/variable-not-filled /mcpServers/docs/env/DOCS_URL'],
  ],
  [
    'a variable that the program fills in',
    { command: 'npx', args: ['mcp-remote', 'https://a.example.com', '--header', 'X-Team:${TEAM}'] },
    [],
  ],
  ['a variable of a shell', { command: 'bash', args: ['-c', 'exec docs-mcp --url ${DOCS_URL}'] }, []],
  [
    'a secret by its name',
    { command: 'a', env: { DB_PASSWORD: 'correct-horse-battery' } },
    ['mcp/secret-in-plain-text /mcpServers/docs/env/DB_PASSWORD'],
  ],
  [
    'a secret behind an option',
    { command: 'a', args: ['--access-token', 'correct-horse-battery'] },
    ['mcp/secret-in-plain-text /mcpServers/docs/args/1'],
  ],
  ['a word that stands for a secret', { command: 'a', env: { GITHUB_TOKEN: 'optional', API_KEY: 'your-api-key' } }, []],
])('Cursor: %s', async (_name, server, expected) => {
  expect(await findingsIn('.cursor/mcp.json', list({ docs: server }))).toEqual(expected);
});

test.each<[string, string, string, readonly string[]]>([
  ['Cursor', '.cursor/mcp.json', '{ "servers": { "a": { "command": "a" } } }', ['mcp/no-server-list ']],
  ['an empty list', '.cursor/mcp.json', '{}', []],
  [
    'Kiro',
    '.kiro/settings/mcp.json',
    list({ a: { command: 'a', env: { URL: '${URL}', OTHER: '${env:URL}' } } }),
    ['mcp/variable-not-filled /mcpServers/a/env/OTHER'],
  ],
  [
    'Codex',
    '.codex/config.toml',
    '[mcp_servers.a]\nargs = ["x"]\n\n[mcp_servers.b]\nurl = "https://b.example.com"\nhttp_headers = {\n  "X-Toolsets" = "a,b"\n}\n',
    ['mcp/server-without-target /mcp_servers/a'],
  ],
  [
    'Codex, keys of both transports',
    '.codex/config.toml',
    '[mcp_servers.a]\ncommand = "a"\nurl = "https://a.example.com"\n[mcp_servers.b]\ntype = "http"\nurl = "https://b.example.com"\nenv = { A = "b" }\n',
    ['codex/server-refused /mcp_servers/a/url', 'codex/server-refused /mcp_servers/b/env'],
  ],
  ['Codex, another key', '.codex/config.toml', '[mcpServers.a]\ncommand = "a"\n', ['codex/servers-ignored /mcpServers']],
  ['Codex without servers', '.codex/config.toml', 'model = "x"\n', []],
  [
    'a list at the root, a wrong type',
    '.mcp.json',
    list({ a: { type: 'http', command: 'a' } }),
    ['mcp/transport-unclear /mcpServers/a/type'],
  ],
  [
    'opencode',
    'opencode.json',
    '{ "mcp": { "a": { "type": "local", "command": "npx", "args": ["a"], "env": {} } } }',
    ['opencode/server-invalid /mcp/a/command', 'opencode/server-invalid /mcp/a/args', 'opencode/server-invalid /mcp/a/env'],
  ],
  ['opencode, version 2', 'opencode.json', '{ "mcp": { "servers": { "a": { "type": "local", "command": ["npx", "a"] } } } }', []],
  ['opencode, a server switched off', 'opencode.json', '{ "mcp": { "a": { "enabled": false } } }', []],
  [
    'opencode, variables',
    'opencode.json',
    '{ "mcp": { "a": { "type": "remote", "url": "{env:A_URL}", "headers": { "X-A": "${A_KEY}" } } } }',
    ['mcp/variable-not-filled /mcp/a/headers/X-A'],
  ],
  ['a list that core/rules judges', '.mcp.json', list({ a: { type: 'http', url: 'https://a.example.com/mcp' } }), []],
  [
    'a key twice',
    '.cursor/mcp.json',
    '{ "mcpServers": { "a": { "command": "a" }, "b": {}, "a": { "command": "c" } } }',
    ['mcp/server-without-target /mcpServers/b', 'other-tools/duplicate-key '],
  ],
  ['a broken list that core/rules judges', '.mcp.json', '{ "mcpServers": ', ['json-syntax /mcpServers']],
  ['one of a package', 'packages/a/.mcp.json', list({ a: {} }), ['mcp/server-without-target /mcpServers/a']],
])('%s', async (_name, path, text, expected) => {
  expect(await findingsIn(path, text)).toEqual(expected);
});

test.each<[unknown, readonly string[]]>([
  [{ command: 'docs-mcp' }, []],
  [{ type: 'streamable-http', url: 'https://docs.example.com/mcp' }, []],
  [{ url: 'https://docs.example.com/mcp' }, ['roo/server-refused /mcpServers/docs/url']],
  [{ type: 'http', url: 'https://docs.example.com/mcp' }, ['roo/server-refused /mcpServers/docs/type']],
  [{ type: 'sse', command: 'docs-mcp' }, ['mcp/sse-ends /mcpServers/docs/type', 'roo/server-refused /mcpServers/docs/type']],
  [{ command: 'docs-mcp', url: 'https://docs.example.com/mcp' }, ['roo/server-refused /mcpServers/docs/command']],
  [{ type: { toString: 1 }, command: 'docs-mcp' }, ['roo/server-refused /mcpServers/docs/type']],
  [{ serverUrl: 'https://docs.example.com/mcp' }, ['roo/server-refused /mcpServers/docs/serverUrl']],
  [{ command: 'docs-mcp', env: { A: '${A}', B: '${env:B}' } }, ['mcp/variable-not-filled /mcpServers/docs/env/A']],
])('a server of Roo Code: %j', async (server, expected) => {
  expect([...(await findingsIn('.roo/mcp.json', list({ docs: server })))].sort()).toEqual(expected);
});

test.each<[string, string, unknown, readonly string[]]>([
  ['.gemini/settings.json', 'mcpServers', { httpUrl: 'https://docs.example.com/mcp' }, []],
  ['.gemini/settings.json', 'mcpServers', { trust: true }, []],
  ['.gemini/settings.json', 'mcpServers', { command: 'npx -y docs-mcp' }, ['mcp/command-line /mcpServers/docs/command']],
  ['.zed/settings.json', 'context_servers', { settings: { database_url: 'x' } }, []],
  ['.zed/settings.json', 'context_servers', { command: { path: 'docs-mcp', args: [] } }, []],
  ['.zed/settings.json', 'context_servers', { command: 'npx -y docs-mcp' }, ['mcp/command-line /context_servers/docs/command']],
])('a server in settings of an extension or the project: %s %s %j', async (path, key, server, expected) => {
  expect(await findingsIn(path, JSON.stringify({ theme: 'dark', [key]: { docs: server } }))).toEqual(expected);
});
