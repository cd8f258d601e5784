import { expect, test } from 'vitest';
import type { ClientCapabilities, CompletionList, Diagnostic, FullDocumentDiagnosticReport, Location } from 'vscode-languageserver';
import { fullCapabilities, type LspClient, startServer } from '../../support/lspClient.js';

/** How an editor comes to ask about prompts in Markdown: over stdio, with a client that registers and with one that does not. */

const path = 'config/prompts/reviewer/v1.md';
const files = {
  'agentstack.json': '{}',
  'config/agents/Reviewer/v1.json':
    '{ "input_keys": ["code"], "llm_config_id": "offline", "prompts": { "system_prompt": "re|viewer@v1" } }',
  'config/llms/offline.json': '{ "llm_id": "offline", "provider": "offline", "model_name": "offline" }',
  [path]: '---\nversion: v1\n---\n\nSay {{|input.kode}}.\n',
};

const isDynamic = { dynamicRegistration: true };
const names = [
  'completion',
  'hover',
  'definition',
  'references',
  'documentHighlight',
  'documentLink',
  'rename',
  'codeAction',
  'codeLens',
  'inlayHint',
  'semanticTokens',
  'diagnostic',
] as const;
const others = [
  'formatting',
  'rangeFormatting',
  'onTypeFormatting',
  'foldingRange',
  'documentSymbol',
  'selectionRange',
  'callHierarchy',
] as const;

/** A client that registers everything. */
const registering: ClientCapabilities = {
  ...fullCapabilities,
  textDocument: Object.fromEntries([
    ['synchronization', isDynamic],
    ...[...names, ...others].map((name) => [name, { ...fullCapabilities.textDocument?.[name], ...isDynamic }] as const),
  ]),
};

function registered({ registrations }: LspClient): readonly string[] {
  return [...registrations].flatMap(([id, { method }]) => (id.startsWith('agentstack.prompts.') ? [method] : [])).sort();
}

test('a client registers for them what is not the work of a Markdown editor', async () => {
  const client = await startServer({ files, capabilities: registering });
  await client.until(() => registered(client).length > 0);
  expect(registered(client)).toEqual([...names, 'didOpen', 'didChange', 'didClose'].map((name) => `textDocument/${name}`).sort());
  const documentSelector = [{ scheme: 'file', language: 'markdown', pattern: '**/prompts/*/*.md' }];
  for (const [id, { registerOptions }] of client.registrations)
    if (id.startsWith('agentstack.prompts.')) expect(registerOptions, id).toMatchObject({ documentSelector });
  expect(client.registrations.get('agentstack.prompts.rename')?.registerOptions).toMatchObject({ prepareProvider: true });
  expect(client.registrations.get('agentstack.prompts.diagnostic')?.registerOptions).toMatchObject({ workspaceDiagnostics: false });
});

test.each([
  ['that registers', registering],
  ['that does not', fullCapabilities],
])('a client %s is answered, from the text in the editor', async (_what, capabilities) => {
  const client = await startServer({ files, capabilities });
  client.open(path);
  const definition = await client.request<readonly Location[]>('textDocument/definition', client.at('config/agents/Reviewer/v1.json'));
  expect(definition).toMatchObject([{ targetUri: client.uri(path) }]);
  const codes = async () => {
    const { items } = await client.request<FullDocumentDiagnosticReport>('textDocument/diagnostic', {
      textDocument: { uri: client.uri(path) },
    });
    return items.map(({ code, range }: Diagnostic) => [code, range.start.line, range.start.character]);
  };
  // The first answer may come before the agents are read; the server then has the editor ask again.
  let [refreshes, answer] = [client.refreshes(), await codes()];
  while (answer.length === 0) {
    await client.until(() => client.refreshes() > refreshes);
    [refreshes, answer] = [client.refreshes(), await codes()];
  }
  expect(answer).toEqual([['prompt-variable-unknown', 4, 4]]);
  const { items } = await client.request<CompletionList>('textDocument/completion', client.at(path));
  expect(items.map(({ label }) => label)).toContain('input.code');
  client.change(path, 'Say {{input.code}}.\n');
  expect(await codes()).toEqual([]);
  expect(client.logs).toEqual([]);
});
