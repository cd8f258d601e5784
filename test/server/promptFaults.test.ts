import { expect, test } from 'vitest';
import { openServer } from '../support/serverHarness.js';
import { agentText } from './agents.js';

const prompt = 'config/prompts/ask/v1.json';
const agent = 'config/agents/A2/v1.json';
const template = 'Do {{input.task}}, {{input.tsk}}.';

function files(keys: readonly string[], output: unknown) {
  return {
    [prompt]: JSON.stringify({ name: 'ask', version: 'v1', template, few_shot_examples: [{ input: {}, output }] }),
    'config/personas/kind.json': JSON.stringify({ prompts: { system_prompt: 'ask@v1' } }),
    [agent]: agentText({ persona_key: 'kind', input_keys: keys, system_text: undefined }),
  };
}

/** What is marked in the prompt, and the words about it. */
async function marked(server: Awaited<ReturnType<typeof openServer>>) {
  const { items } = await server.service.diagnose(server.uri(prompt));
  const document = server.service.workspace.document(server.uri(prompt))!;
  return items.map(({ range, code, message }) => {
    const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    return `${document.text.slice(start, end)} ${code} ${String(message).slice(0, 42)}`;
  });
}

test('what an agent lacks for its prompt is marked in the prompt too', async () => {
  const server = await openServer(files(['task'], { tone: 'a' }));
  expect(await marked(server)).toEqual(['{{input.tsk}} prompt-variable-unknown For config/agents/A2/v1.json: The prompt "']);
});

test('so is an example that the schema of an agent refuses', async () => {
  const server = await openServer(files(['task', 'tsk'], { tone: 'c' }));
  expect(await marked(server)).toEqual(['"c" few-shot-fits-schema For config/agents/A2/v1.json: Example 1 of']);
});

test('an edit of the agent changes what is marked in the prompt', async () => {
  const server = await openServer(files(['task'], { tone: 'a' }));
  expect(await marked(server)).toHaveLength(1);
  server.edit(agent, agentText({ persona_key: 'kind', input_keys: ['task', 'tsk'], system_text: undefined }));
  expect(await marked(server)).toEqual([]);
  expect(server.affected).toContain(prompt);
});
