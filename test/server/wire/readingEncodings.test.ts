import { expect, test } from 'vitest';
import type { CodeLens, InlayHint, SemanticTokens } from 'vscode-languageserver';
import { fullCapabilities, startServer } from '../../support/lspClient.js';

const path = 'config/llms/main.json';
const agent = 'config/agents/A2/v1.json';

// An emoji has one unit in UTF-32, two in UTF-16, four in UTF-8.
test.each([
  ['utf-8', 4],
  ['utf-16', 2],
  ['utf-32', 1],
] as const)('what stands after an emoji is counted in %s', async (encoding, units) => {
  const capabilities = {
    ...fullCapabilities,
    general: { positionEncodings: [encoding] },
    experimental: { commands: { commands: ['agentStack.showReferences'] } },
  };
  const files = {
    [path]: '{"options": {"x": "🎉"}, "llm_id": "main", "model_name": "m"}',
    [agent]: '{"description": "🎉", "agent_name": "A2", "version": "v1", "llm_config_id": "main"}',
  };
  const client = await startServer({ files, capabilities });
  client.open(path);
  client.open(agent);
  const uri = client.uri(path);
  const { data } = await client.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument: { uri } });
  expect(data).toEqual([0, 34 + units, 4, 10, 1]);
  const full = client.initialized.capabilities.semanticTokensProvider as { full: unknown };
  expect(full.full).toEqual(encoding === 'utf-16' ? { delta: true } : true);

  const [lens] = await client.request<readonly CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
  const resolved = await client.request<CodeLens>('codeLens/resolve', lens);
  const place = { line: 0, character: 23 + units };
  expect(resolved).toMatchObject({
    range: { start: place },
    command: { arguments: [uri, place, [{ range: { start: { line: 0, character: 74 + units } } }]] },
  });

  const end = { line: 0, character: 80 + units };
  const range = { start: end, end };
  const hints = await client.request<readonly InlayHint[]>('textDocument/inlayHint', { textDocument: { uri: client.uri(agent) }, range });
  expect(hints).toMatchObject([{ label: 'model_name: m', position: end }]);
  expect(await client.request('inlayHint/resolve', hints[0])).toMatchObject({ position: end, tooltip: { kind: 'markdown' } });
});
