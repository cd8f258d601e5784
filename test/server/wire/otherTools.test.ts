import { expect, test } from 'vitest';
import type {
  ClientCapabilities,
  CompletionList,
  DocumentFilter,
  Hover,
  Location,
  TextDocumentRegistrationOptions,
} from 'vscode-languageserver';
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

test('a client registers what is done in files of other tools for exactly their places, and only while it is wanted', async () => {
  const settings = { otherTools: true };
  const client = await startServer({ files, capabilities: registering, settings });
  await client.until(() => ofDocuments(client).includes('textDocument/hover'));
  expect(ofDocuments(client)).toEqual([...methods].sort());
  const selectorOf = (method: string): readonly DocumentFilter[] => {
    const { registerOptions } = client.registrations.get(method.replace('textDocument/', 'agentstack.otherTools.')) ?? {};
    return ((registerOptions as TextDocumentRegistrationOptions | undefined)?.documentSelector ?? []) as readonly DocumentFilter[];
  };
  for (const method of methods)
    for (const filter of selectorOf(method))
      expect(filter, method).toMatchObject({ scheme: 'file', pattern: expect.stringMatching(/^\*\*\/\.?\w/) });
  expect(selectorOf('textDocument/hover')).toContainEqual({ scheme: 'file', pattern: '**/.claude/agents/**/*.md' });
  expect(selectorOf('textDocument/hover')).toContainEqual({ scheme: 'file', pattern: '**/.mcp.json', language: 'json' });
  // Nothing is to be named in a list of servers.
  expect(selectorOf('textDocument/completion').map((filter) => ('pattern' in filter ? filter.pattern : ''))).not.toContain('**/.mcp.json');

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

test('a client is not asked to register anything where the setting is off from the start', async () => {
  const client = await startServer({ files, capabilities: registering, settings: { otherTools: false } });
  await client.until(() => client.registered.has('workspace/didChangeWatchedFiles'));
  await client.request('textDocument/hover', client.at('.claude/settings.json'));
  expect(ofDocuments(client)).toEqual([]);
});
