import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { fileUri, until } from './support.js';

/** What VS Code has for tools since 1.95. */
interface ToolApi {
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema?: object }[];
  invokeTool(
    name: string,
    options: { readonly input: object; readonly toolInvocationToken: undefined },
    token?: vscode.CancellationToken,
  ): Promise<{ readonly content: readonly { readonly value: string }[] }>;
}

const api = vscode.lm as unknown as ToolApi;
const file = fileUri('config/agents/ServedTone/v1.json').fsPath;
const agent = {
  agent_name: 'ServedTone',
  version: 'v1',
  expose: true,
  description: 'Says how a text sounds.',
  mode: 'Chooser',
  system_text: 'You judge how a text sounds.',
  purpose_text: 'Choose the tone.',
  llm_config_id: 'offline',
  input_keys: ['text'],
  output_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['tone'],
    properties: { tone: { type: 'string', enum: ['friendly', 'formal'] } },
  },
};

const invoke = async (name: string, input: object) => {
  const { content } = await api.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map(({ value }) => value).join('');
};

describe('Exposed agents as tools of chats', () => {
  before(async () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(agent));
    await until(() => api.tools.some(({ name }) => name === 'agentstack_runAgent'), 'the tools');
  });

  after(() => rmSync(dirname(file), { recursive: true }));

  it('are listed with what they take and give', async () => {
    const listed = JSON.parse(await invoke('agentstack_listAgents', {}));
    const found = listed.find(({ name }: { name: string }) => name === 'ServedTone@v1');
    assert.equal(found?.available, true);
    assert.equal(found.description, agent.description);
    assert.deepEqual(found.input_schema.required, ['text']);
    assert.deepEqual(found.output_schema, agent.output_schema);
  });

  it('run, and answer what their schema allows', async () => {
    const answer = await invoke('agentstack_runAgent', { name: 'ServedTone', input: { text: 'A friendly hello to all of you' } });
    assert.deepEqual(JSON.parse(answer), { tone: 'friendly' });
  });

  it('tell a model what does not fit, and what there is', async () => {
    await assert.rejects(invoke('agentstack_runAgent', { name: 'ServedTone', input: { txt: 'x' } }), /The key "text" is missing/);
    await assert.rejects(invoke('agentstack_runAgent', { name: 'ServedTon', input: {} }), /Did you mean "ServedTone"/);
  });

  it('whose config is invalid say why', async () => {
    writeFileSync(file, JSON.stringify({ ...agent, temperature: 9 }));
    await assert.rejects(
      invoke('agentstack_runAgent', { name: 'ServedTone', input: { text: 'x' } }),
      /ServedTone\/v1\.json:\d+:\d+ schema/,
    );
    const listed = JSON.parse(await invoke('agentstack_listAgents', {}));
    assert.equal(listed.find(({ name }: { name: string }) => name === 'ServedTone@v1')?.available, false);
  });
});
