import { expect, test } from 'vitest';
import type { ClientCapabilities, CompletionList, Hover, Location, TextDocumentRegistrationOptions } from 'vscode-languageserver';
import { fullCapabilities, type LspClient, startServer } from '../../support/lspClient.js';

/** How an editor comes to ask about the files of other tools: over stdio, with a client that registers and with one that does not. */

const files = {
  '.mcp.json': '{ "mcpServers": { "stock": { "command": "stock-mcp" } } }',
  '.claude/settings.json': '{ "permissions": { "allow": ["mcp__sto|ck__find"] } }',
  '.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews\ntools: Read, |\n---\n\nReview.\n',
};

const methods = ['completion', 'definition', 'documentLink', 'hover', 'references', 'didChange', 'didClose', 'didOpen'].map(
  (name) => `textDocument/${name}`,
);

const isDynamic = { dynamicRegistration: true };

const registering: ClientCapabilities = {
  ...fullCapabilities,
  textDocument: {
    ...fullCapabilities.textDocument,
    synchronization: isDynamic,
    completion: { ...fullCapabilities.textDocument?.completion, ...isDynamic },
    definition: { ...fullCapabilities.textDocument?.definition, ...isDynamic },
    hover: { ...fullCapabilities.textDocument?.hover, ...isDynamic },
    references: isDynamic,
    documentLink: isDynamic,
    // What it is never asked to register for them.
    formatting: isDynamic,
    foldingRange: isDynamic,
    rename: { ...fullCapabilities.textDocument?.rename, ...isDynamic },
  },
};

function ofDocuments({ registrations }: LspClient): readonly string[] {
  return [...registrations].flatMap(([id, { method }]) => (id.startsWith('agentstack.otherTools.') ? [method] : [])).sort();
}

function filtersOf(client: LspClient, method: string): readonly { readonly pattern?: string }[] {
  const { registerOptions } = client.registrations.get(method.replace('textDocument/', 'agentstack.otherTools.')) ?? {};
  const selector = (registerOptions as TextDocumentRegistrationOptions | undefined)?.documentSelector ?? [];
  return selector.map((filter) =>
    typeof filter === 'object' && 'pattern' in filter ? { ...filter, pattern: String(filter.pattern) } : {},
  );
}

test('a client registers what is done in files of other tools for exactly their places, and only while it is wanted', async () => {
  const settings = { otherTools: true };
  const client = await startServer({ files, capabilities: registering, settings });
  await client.until(() => ofDocuments(client).includes('textDocument/hover'));
  expect(ofDocuments(client)).toEqual([...methods].sort());
  const selectorOf = (method: string) => filtersOf(client, method);
  for (const method of methods)
    for (const filter of selectorOf(method))
      expect(filter, method).toMatchObject({ scheme: 'file', pattern: expect.stringMatching(/^\*\*\/\.?\w/) });
  expect(selectorOf('textDocument/hover')).toContainEqual({ scheme: 'file', pattern: '**/.claude/agents/**/*.md' });
  expect(selectorOf('textDocument/hover')).toContainEqual({ scheme: 'file', pattern: '**/.mcp.json', language: 'json' });
  // Nothing is to be named in a list of servers.
  expect(selectorOf('textDocument/completion').map(({ pattern }) => pattern)).not.toContain('**/.mcp.json');

  settings.otherTools = false;
  client.notify('workspace/didChangeConfiguration', { settings: null });
  await client.until(() => ofDocuments(client).length === 0);
  settings.otherTools = true;
  client.notify('workspace/didChangeConfiguration', { settings: null });
  await client.until(() => ofDocuments(client).length === methods.length);
  expect(client.logs).toEqual([]);
});

test.each([
  ['that registers', registering],
  ['that does not', fullCapabilities],
])('a client %s is answered, from the text in the editor', async (_what, capabilities) => {
  const client = await startServer({ files, capabilities });
  expect(capabilities === registering || ofDocuments(client).length === 0).toBe(true);
  const permission = client.at('.claude/settings.json');
  const definition = await client.request<readonly Location[]>('textDocument/definition', permission);
  expect(definition).toMatchObject([{ targetUri: client.uri('.mcp.json') }]);
  client.open('.mcp.json');
  client.change('.mcp.json', files['.mcp.json'].replace('stock"', 'shop"'));
  expect(await client.request('textDocument/definition', permission)).toBeNull();
  client.close('.mcp.json');
  const hover = await client.request<Hover>('textDocument/hover', permission);
  expect(hover).toMatchObject({ contents: { value: expect.stringContaining('`stock-mcp`') } });
  client.open('.claude/agents/reviewer.md');
  const { items } = await client.request<CompletionList>('textDocument/completion', client.at('.claude/agents/reviewer.md'));
  expect(items.map(({ label }) => label)).toContain('mcp__stock');
  expect(client.logs).toEqual([]);
});

const task = 'description: Find\n  expected_output: A list\n';

test.each<[string, Readonly<Record<string, string>>, string, string]>([
  [
    'crews',
    {
      'crew.jsonc': '{ "agents": ["writer"], "tasks": [{ "description": "Write", "expected_output": "A page", "agent": "wri|ter" }] }',
      'agents/writer.jsonc': '{ "role": "Writer", "goal": "Write", "backstory": "You write." }',
    },
    '**/crew.jsonc',
    '`agents/writer.jsonc`',
  ],
  [
    'tasks of CrewAI',
    {
      'src/config/tasks.yaml': `find:\n  ${task}  agent: finder|\n`,
      'src/config/agents.yaml': 'finder:\n  role: Finder\n  goal: Find out\n  backstory: You find.\n',
    },
    '**/config/tasks.yaml',
    '`src/config/agents.yaml`',
  ],
  [
    'Gemini CLI',
    { '.gemini/settings.json': '{ "mcpServers": { "st|ock": { "command": "stock-mcp" } } }' },
    '**/.gemini/settings.json',
    '`stock-mcp`',
  ],
  [
    'Zed',
    { '.zed/settings.json': '{ "context_servers": { "st|ock": { "command": "stock-mcp" } } }' },
    '**/.zed/settings.json',
    '`stock-mcp`',
  ],
  ['Codex', { '.codex/config.toml': '[mcp_servers.st|ock]\ncommand = "stock-mcp"\n' }, '**/.codex/config.toml', '`stock-mcp`'],
  ['Roo Code', { '.roo/mcp.json': '{ "mcpServers": { "st|ock": { "command": "stock-mcp" } } }' }, '**/.roo/mcp.json', '`stock-mcp`'],
])('files of %s are described where an editor is asked about them', async (_tool, tool, pattern, words) => {
  const client = await startServer({ files: tool, capabilities: registering });
  await client.until(() => ofDocuments(client).includes('textDocument/hover'));
  expect(filtersOf(client, 'textDocument/hover').map((filter) => filter.pattern)).toContain(pattern);
  const path = Object.keys(tool).find((name) => tool[name]?.includes('|')) ?? '';
  const hover = await client.request<Hover>('textDocument/hover', client.at(path));
  expect(hover).toMatchObject({ contents: { value: expect.stringContaining(words) } });
});

test('files of other programs are in none of the places, or have no answer there', async () => {
  const foreign = {
    'crew.json': '{ "agents": ["wri|ter"], "ship": "Nautilus" }',
    'config/tasks.yaml': 'nightly:\n  agent: run|ner\n  cron: daily\n',
    '.zed/settings.json': '{ "context_servers": {}, "tab_si|ze": 2 }',
  };
  const client = await startServer({ files: foreign, capabilities: registering });
  await client.until(() => ofDocuments(client).includes('textDocument/hover'));
  for (const path of Object.keys(foreign)) {
    expect(await client.request('textDocument/hover', client.at(path)), path).toBeNull();
    expect(await client.request('textDocument/definition', client.at(path)), path).toBeNull();
  }
  const patterns = filtersOf(client, 'textDocument/hover').map((filter) => filter.pattern);
  for (const pattern of ['**/agents/*.json', '**/agents/**/*.md', '**/*agent*spec*.json']) expect(patterns).not.toContain(pattern);
});

test('a client is not asked to register anything where the setting is off from the start', async () => {
  const client = await startServer({ files, capabilities: registering, settings: { otherTools: false } });
  await client.until(() => client.registered.has('workspace/didChangeWatchedFiles'));
  await client.request('textDocument/hover', client.at('.claude/settings.json'));
  expect(ofDocuments(client)).toEqual([]);
});
