import { expect, test } from 'vitest';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { checkRepository } from '../../core/inventory/checkRepository.js';
import { findToolFiles } from '../../core/inventory/findToolFiles.js';
import { inventoryParts } from '../../core/inventory/inventoryWords.js';
import { FileProblem } from '../../core/ports.js';
import { memoryFiles } from '../support/memoryFiles.js';

async function check(texts: Readonly<Record<string, string>>, paths?: readonly string[]) {
  const files = memoryFiles(texts);
  const index = await loadProjectIndex(files, { bare: true });
  return checkRepository({ files, index, variables: { get: () => undefined }, paths });
}

const server = (url: string) => JSON.stringify({ type: 'http', url });

test('counts what other tools have in a folder, and those below it', async () => {
  const { inventory } = await check({
    '.mcp.json': `{ "mcpServers": { "a": ${server('https://a.example.com')}, "b": ${server('https://b.example.com')} } }`,
    'packages/web/.cursor/mcp.json': `{ "mcpServers": { "a": ${server('https://a.example.com')} } }`,
    '.codex/config.toml': '[mcp_servers.docs]\ncommand = "docs-mcp"\n',
    '.claude/agents/team/reviewer.md': '---\nname: reviewer\ndescription: Reviews\n---\nReview.',
    '.claude/settings.json': '{ "permissions": { "allow": ["Bash(ls:*)"], "deny": ["Read(.env)"] } }',
    'node_modules/x/.mcp.json': '{ "mcpServers": { "no": {} } }',
    'out/.mcp.json': '{ "mcpServers": { "no": {} } }',
    '.gitignore': 'out/\n',
  });
  expect(inventoryParts(inventory)).toEqual(['4 MCP servers in 3 lists', '1 Claude Code agent', '2 permission rules']);
});

test('one name for two servers is told where the second is', async () => {
  const { findings } = await check({
    '.mcp.json': `{ "mcpServers": { "stock": ${server('https://a.example.com/mcp')} } }`,
    '.vscode/mcp.json': `{ "servers": { "stock": ${server('https://b.example.com/mcp')} } }`,
    'sub/.mcp.json': `{ "mcpServers": { "stock": ${server('https://c.example.com/mcp')} } }`,
  });
  expect(findings).toMatchObject([
    {
      code: 'mcp/server-differs',
      file: '.vscode/mcp.json',
      pointer: '/servers/stock',
      line: 1,
      column: 16,
      related: [{ file: '.mcp.json', line: 1 }],
    },
  ]);
});

test.each(['https://a.example.com/${PATH}', 'https://b.example.com/mcp/'])(
  'a server is compared only where both are known: %s',
  async (url) => {
    const { findings } = await check({
      '.mcp.json': `{ "mcpServers": { "stock": ${server(url)} } }`,
      '.vscode/mcp.json': `{ "servers": { "stock": ${server('https://b.example.com/mcp')} } }`,
    });
    expect(findings).toEqual([]);
  },
);

test('a file that cannot be read says where, and hides no other', async () => {
  const { findings, files } = await check({
    '.codex/config.toml': '[mcp_servers.docs\ncommand = "docs-mcp"\n',
    '.cursor/mcp.json': '{ "mcpServers": { "a": } }',
    '.vscode/mcp.json': `{ "servers": { "a": ${server('https://a.example.com/mcp')} } }`,
  });
  expect(findings).toMatchObject([
    { code: 'other-tools/unreadable', file: '.codex/config.toml', line: 2 },
    { code: 'other-tools/unreadable', file: '.cursor/mcp.json', line: 1, column: 24 },
  ]);
  expect(files).toBe(3);
});

test('files of another program in places of ours get nothing', async () => {
  const { findings, files } = await check({
    'config/llms/router.json': '{ "routes": [], "default": "x" }',
    'config/system.json': '{ "port": 80 ',
    'config/agents/a.yaml': 'a: 1',
    'config/agents/a/b.json': '{ "agent_name": "x", "oops": ',
  });
  expect({ findings, files }).toEqual({ findings: [], files: 0 });
});

test('only the files that are named are checked', async () => {
  const texts = { '.codex/config.toml': '[', '.cursor/mcp.json': '{' };
  expect((await check(texts, ['.cursor'])).findings.map(({ file }) => file)).toEqual(['.cursor/mcp.json']);
  expect((await check(texts, ['.vscode'])).unmatched).toEqual(['.vscode']);
});

test('a folder that cannot be listed is named, and hides nothing else', async () => {
  const files = memoryFiles({ '.mcp.json': `{ "mcpServers": { "a": ${server('https://a.example.com')} } }`, 'data/x.txt': '' });
  const list = (folder: string) => {
    if (folder === 'data') throw new FileProblem('no-permission', folder, 'data cannot be read.');
    return files.list(folder);
  };
  const { files: found, unseen } = await findToolFiles({ list, readText: (path) => files.readText(path) });
  expect([found.map(({ path }) => path), unseen]).toEqual([['.mcp.json'], 'The files in data could not be listed, and were not checked.']);
});
