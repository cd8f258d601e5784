import { expect, test } from 'vitest';
import { type Harness, openServer } from '../support/serverHarness.js';

const list = (name: string, url: string) => JSON.stringify({ mcpServers: { [name]: { type: 'http', url } } });
const files = {
  '.mcp.json': list('stock', 'https://a.example.com/mcp'),
  '.cursor/mcp.json': list('stock', 'https://b.example.com/mcp'),
};

async function codesAt(server: Harness, path: string): Promise<readonly unknown[]> {
  const { items } = await server.service.diagnose(server.uri(path));
  return items.map(({ code }) => code);
}

test.each([{}, { 'agentstack.json': '{}' }])('the files of other tools are checked in a folder with %j', async (own) => {
  const server = await openServer({ ...files, ...own }, { bare: true });
  expect(await codesAt(server, '.mcp.json')).toEqual(['mcp/server-differs']);
  expect(server.service.workspace.projects.length).toBe(Object.keys(own).length);
});

test('a change of one file is seen in the findings of another, whichever its ending', async () => {
  const server = await openServer(files, { bare: true });
  expect(await codesAt(server, '.mcp.json')).toEqual(['mcp/server-differs']);
  server.write('.cursor/mcp.json', list('other', 'https://b.example.com/mcp'));
  expect(await codesAt(server, '.mcp.json')).toEqual([]);
  server.write('.codex/config.toml', '[mcp_servers.docs\n');
  expect(await codesAt(server, '.codex/config.toml')).toEqual(['other-tools/unreadable']);
  server.write('.codex/config.toml', undefined);
  expect(await codesAt(server, '.codex/config.toml')).toEqual([]);
});

test('the text in the editor counts', async () => {
  const server = await openServer(files, { bare: true });
  server.edit('.cursor/mcp.json', list('stock', 'https://a.example.com/mcp'));
  expect(await codesAt(server, '.mcp.json')).toEqual([]);
  server.close('.cursor/mcp.json');
  expect(await codesAt(server, '.mcp.json')).toEqual(['mcp/server-differs']);
});

test('a setting of the client or of the project turns it off', async () => {
  const server = await openServer(files, { bare: true });
  server.service.setSettings({ otherTools: false });
  expect(await codesAt(server, '.mcp.json')).toEqual([]);
  server.service.setSettings({ otherTools: true, rules: { 'mcp/server-differs': 'error' } });
  const { items } = await server.service.diagnose(server.uri('.mcp.json'));
  expect(items).toMatchObject([{ code: 'mcp/server-differs', severity: 1 }]);
  server.write('agentstack.json', '{ "other_tools": false }');
  expect(await codesAt(server, '.mcp.json')).toEqual([]);
});

test('a folder that becomes a project is checked as one', async () => {
  const server = await openServer(files, { bare: true });
  server.write('config/agents/A/v1.json', '{ "agent_name": "B", "version": "v1" }');
  expect(await codesAt(server, 'config/agents/A/v1.json')).toContain('name-matches-path');
  expect(await codesAt(server, '.mcp.json')).toEqual(['mcp/server-differs']);
});

test('what is in a project inside of the folder is told once', async () => {
  const server = await openServer(
    { ...files, 'bots/agentstack.json': '{}', 'bots/.mcp.json': files['.mcp.json'], 'bots/.cursor/mcp.json': files['.cursor/mcp.json'] },
    { bare: true },
  );
  await server.service.workspace.ready();
  expect(await codesAt(server, 'bots/.mcp.json')).toEqual(['mcp/server-differs']);
  expect(await codesAt(server, '.mcp.json')).toEqual(['mcp/server-differs']);
});

test('a file that another one names is seen when it appears', async () => {
  const agent = JSON.stringify({ name: 'a', tools: ['read'], prompt: 'file://prompts/a.txt' });
  const server = await openServer({ '.kiro/agents/a.json': agent }, { bare: true });
  expect(await codesAt(server, '.kiro/agents/a.json')).toEqual(['kiro/prompt-missing']);
  server.write('.kiro/agents/prompts/a.txt', 'Review.');
  expect(await codesAt(server, '.kiro/agents/a.json')).toEqual([]);
  server.write('.kiro/agents/prompts/a.txt', undefined);
  expect(await codesAt(server, '.kiro/agents/a.json')).toEqual(['kiro/prompt-missing']);
});
