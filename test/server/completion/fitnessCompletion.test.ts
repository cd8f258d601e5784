import { expect, test } from 'vitest';
import type { CompletionList } from 'vscode-languageserver';
import { openServer } from '../../support/serverHarness.js';
import { agentText, llmText } from '../agents.js';

const files = {
  'config/agents/A2/v1.json': agentText(),
  'config/agents/A2/v2.json': agentText({}, 'A2', 'v2'),
  'config/agents/Answers/v1.json': agentText(
    { mode: undefined, output_schema: undefined, enums: undefined, input_keys: ['output'] },
    'Answers',
  ),
  'config/agents/Needs/v1.json': agentText({ input_keys: ['brief'] }, 'Needs'),
  'config/agents/Zudge/v1.json': agentText({ input_keys: ['output'] }, 'Zudge'),
  'config/payloads/A2/labels.json': '{ "cases": [{ "name": "one", "input": {} }, { "name": "two", "input": {} }] }',
  'config/llms/main.json': llmText('main'),
};

async function labelsAt(path: string, marked: string): Promise<readonly string[]> {
  const server = await openServer({ ...files, [path]: marked.replace('¦', '') });
  const document = server.service.workspace.document(server.uri(path))!;
  const at = marked.indexOf('¦');
  const position = document.rangeOf({ start: at, end: at }).start;
  const list = await server.request<CompletionList>('textDocument/completion', { textDocument: { uri: server.uri(path) }, position });
  return list.items.toSorted((left, right) => (left.sortText! < right.sortText! ? -1 : 1)).map(({ label }) => label);
}

test('judges come in the order of their fitness', async () => {
  const labels = await labelsAt('config/payloads/A2/one.json', '{ "input": {}, "expect": [{ "judge": "¦" }] }');
  expect(labels.filter((label) => label.includes('@'))).toEqual(['Zudge@v1', 'Answers@v1', 'Needs@v1']);
});

test.each([
  ['case', ['labels/one', 'labels/two']],
  ['version', ['v2', 'v1']],
  ['llm', ['main']],
])('the %s of a verdict', async (field, expected) => {
  expect(await labelsAt('config/baselines/A2.json', `{ "format": 2, "verdicts": [{ "${field}": "¦" }] }`)).toEqual(expected);
});
