// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts hold placeholders.
import { expect, test } from 'vitest';
import type { Location, WorkspaceEdit } from 'vscode-languageserver';
import { fullCapabilities } from '../support/lspClient.js';
import { openServer } from '../support/serverHarness.js';
import { agentText, llmText } from './agents.js';

const agent = 'config/agents/A2/v1.json';
const profile = 'config/llms/main.json';
const baseline = 'config/baselines/A2.json';
const verdict = (fields: object) =>
  JSON.stringify({ format: 2, verdicts: [{ case: 'labels/one', version: 'v1', llm: 'main', ...fields }] });
const files = {
  [agent]: agentText({ llm_config_id: '${LLM:-main}' }),
  'config/environments/dev.json': '{"agent_defaults": {"llm_config_id": "${LLM:-main}", "persona_key": "${WHO:-main}"}}',
  'config/system.json': '{"agent_defaults": {"llm_config_id": "${LLM:-mainly}"}}',
  'config/payloads/A2/labels.json': '{ "cases": [{ "name": "one", "input": {} }] }',
  [profile]: llmText('main'),
  [baseline]: verdict({}),
};

test('a profile is renamed wherever it takes effect: in fallbacks, and in baselines', async () => {
  const server = await openServer(files, { client: fullCapabilities });
  const position = server.service.workspace
    .document(server.uri(profile))!
    .rangeOf({ start: llmText('main').indexOf('main'), end: 0 }).start;
  const edit = await server.request<WorkspaceEdit>('textDocument/rename', {
    textDocument: { uri: server.uri(profile) },
    position,
    newName: 'large',
  });
  const after = server.applied(edit);
  expect(after[`/${agent}`]).toBe(agentText({ llm_config_id: '${LLM:-large}' }));
  expect(after['/config/environments/dev.json']).toBe(
    '{"agent_defaults": {"llm_config_id": "${LLM:-large}", "persona_key": "${WHO:-main}"}}',
  );
  expect(after[`/${baseline}`]).toBe(verdict({ llm: 'large' }));
  expect(after['/config/llms/large.json']).toBe(llmText('large'));
  expect(Object.keys(after)).not.toContain('/config/system.json');
});

test.each([
  ['"v1"', agent],
  ['"main"', profile],
  ['"labels/one"', 'config/payloads/A2/labels.json'],
])('%s in a baseline leads to %s', async (token, path) => {
  const server = await openServer(files, {});
  const document = server.service.workspace.document(server.uri(baseline))!;
  const at = verdict({}).indexOf(token) + 2;
  const position = document.rangeOf({ start: at, end: at }).start;
  const places = await server.request<Location[]>('textDocument/definition', { textDocument: { uri: server.uri(baseline) }, position });
  expect(places.map(({ uri }) => uri)).toEqual([server.uri(path)]);
});
