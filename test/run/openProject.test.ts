import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LlmProvider } from '../../core/llm/providers/provider.js';
import type { LlmRequest } from '../../core/llm/types.js';
import { openProject } from '../../core/node/openProject.js';
import { defineTool } from '../../core/tools/registry.js';
import { repository, temporaryProject, write } from '../cli/command.js';
import { type ScriptedAnswer, scriptedModel } from '../support/scriptedModel.js';

const agent = {
  agent_name: 'Clerk',
  version: 'v1',
  agent_type: 'react',
  system_text: 'You look things up.',
  provider: 'openai',
  model_name: 'script',
  enabled_tools: ['stock', 'calculator'],
  include_history: true,
};
const stock = defineTool({
  name: 'stock',
  description: 'Tells how many of an item there are.',
  parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'], additionalProperties: false },
  idempotent: true,
  side_effects: false,
  call: ({ item }, { run }) => `${item.length} of ${item}, for ${run.user_id ?? 'nobody'}`,
});
const declared = { stock: { description: stock.description, parameters: stock.parameters, idempotent: true, side_effects: false } };
const asks: ScriptedAnswer = { chunks: [], calls: [{ name: 'stock', input: { item: 'bolts' } }] };

/** A provider that answers from a script in place of the real one, and what it was asked. */
function scripted(...answers: readonly ScriptedAnswer[]) {
  const model = scriptedModel(...answers);
  const provider: LlmProvider = {
    name: 'openai',
    connect: () => ({
      call: (request) => model.call(request),
      async *stream(request) {
        for await (const part of model.stream(request)) {
          if (part.type === 'text') yield { type: 'text', text: part.text };
          else if (part.type !== 'retry') yield part;
        }
      },
    }),
  };
  return { provider, requests: model.requests as readonly LlmRequest[] };
}

function clerk(...answers: readonly ScriptedAnswer[]) {
  const folder = temporaryProject({ 'agentstack.json': { skills: declared }, 'config/agents/Clerk/v1.json': agent });
  const { provider, requests } = scripted(...answers);
  return { folder, requests, provider, project: openProject(folder, { providers: [provider], tools: [stock] }) };
}

describe('a project', () => {
  test("runs an agent with the program's own tools, which know whose run it is", async () => {
    const { project } = clerk(asks, { chunks: ['Five.'] });
    const result = await project.invoke({ agent_name: 'Clerk', payload: {}, context: { user_id: 'ada' } });
    expect(result).toMatchObject({ status: 'completed', text: 'Five.', metadata: { tools_used: ['stock'] } });
    expect(result.reasoning.steps[0]).toMatchObject({ observation: '5 of bolts, for ada' });
  });

  test('says which agents there are when there is none of that name', async () => {
    const { error } = await clerk().project.invoke({ agent_name: 'Clark', payload: {} });
    expect(error).toMatchObject({ code: 'unknown-agent-config', message: expect.stringMatching(/There is no agent "Clark".*Clerk/) });
  });

  test('says which declared tool the program does not have', async () => {
    const { folder, provider } = clerk();
    const result = await openProject(folder, { providers: [provider] }).invoke({ agent_name: 'Clerk', payload: {} });
    expect(result.error).toMatchObject({ code: 'tool-execution', message: expect.stringContaining('"stock"') });
  });

  test('refuses a tool whose schema is none, before anything runs', async () => {
    const { folder, provider } = clerk();
    const broken = defineTool({ name: 'stock', description: 'x', parameters: { type: 'object', required: 'item' }, call: () => null });
    await expect(
      openProject(folder, { providers: [provider], tools: [broken] }).invoke({ agent_name: 'Clerk', payload: {} }),
    ).rejects.toThrow('no JSON Schema');
    expect(() => openProject(folder, { tools: [stock, stock] })).toThrow('two tools called stock');
  });

  test('goes on with a session, which a run that keeps nothing only reads', async () => {
    const { folder, project, requests } = clerk({ chunks: ['First.'] }, { chunks: ['Second.'] }, { chunks: ['Third.'] });
    const request = { agent_name: 'Clerk', payload: {}, context: { session_id: 's' } };
    await project.invoke(request);
    const file = join(folder, '.agentstack/sessions/s.jsonl');
    const before = readFileSync(file, 'utf8');
    await project.invoke({ ...request, keep: 'none' });
    expect(JSON.stringify(requests[1]?.messages)).toContain('First.');
    expect(readFileSync(file, 'utf8')).toBe(before);
    await project.invoke(request);
    expect(JSON.stringify(requests[2]?.messages)).not.toContain('Second.');
    const refused = await project.invoke({ ...request, context: { session_id: '../s' } });
    expect(refused.error).toMatchObject({ code: 'input-invalid', message: expect.stringContaining('not a legal name') });
  });

  test('has the tools of its files as they are then, and keeps its session: nothing needs to be refreshed', async () => {
    const { folder, project, requests } = clerk({ chunks: ['First.'] }, { chunks: ['Second.'] });
    const context = { session_id: 's1' };
    await project.invoke({ agent_name: 'Clerk', payload: {}, context });
    write(folder, 'config/agents/Clerk/v1.json', { ...agent, enabled_tools: ['calculator', 'current_time'] });
    await project.invoke({ agent_name: 'Clerk', payload: {}, context });
    const names = requests.map(({ tools = [] }) => tools.map(({ name }) => name).sort());
    expect(names).toEqual([
      ['calculator', 'stock'],
      ['calculator', 'current_time'],
    ]);
    expect(JSON.stringify(requests[1]?.messages)).toContain('First.');
  });

  test('records a run, and replays it without its provider and its tools', async () => {
    const { folder, project } = clerk(asks, { chunks: ['Five.'] });
    const record = join(folder, 'records/one.jsonl');
    const request = { agent_name: 'Clerk', payload: {}, keep: 'none' as const };
    const result = await project.invoke({ ...request, record });
    const again = await openProject(folder).invoke({ ...request, replay: record });
    expect(again).toMatchObject({
      status: 'completed',
      text: 'Five.',
      conversation: result.conversation,
      source_documents: result.source_documents,
    });
    expect(existsSync(join(folder, '.agentstack'))).toBe(false);
  });

  test('a record that cannot be written to its end is told, with the answer', async () => {
    const { project } = clerk({ chunks: ['Five.'] });
    const full = '/dev/full';
    if (!existsSync(full)) return;
    const result = await project.invoke({ agent_name: 'Clerk', payload: {}, record: full });
    expect(result.error).toMatchObject({ code: 'storage', message: expect.stringContaining('ENOSPC') });
  });

  test('leaving the events early ends the run, and keeps it as a cancelled one', async () => {
    const { folder, project } = clerk(asks, { chunks: ['Five.'] });
    let run_id = '';
    for await (const event of project.run({ agent_name: 'Clerk', payload: {} })) {
      run_id = event.run_id;
      if (event.type === 'tool_call') break;
    }
    const result = JSON.parse(readFileSync(join(folder, '.agentstack/runs', run_id, 'result.json'), 'utf8'));
    expect(result).toMatchObject({ status: 'cancelled', metadata: { iterations: 1, tools_used: [] } });
  });

  test('a run that is cancelled while a tool hangs tells the tool so', async () => {
    const { folder, provider } = clerk(asks, { chunks: ['Five.'] });
    const over = new AbortController();
    const signals: AbortSignal[] = [];
    const hanging = defineTool({
      ...{ name: 'stock', description: 'Hangs.', parameters: stock.parameters },
      call: (_input, { signal }) => {
        signals.push(signal);
        over.abort();
        return new Promise<string>(() => undefined);
      },
    });
    const project = openProject(folder, { providers: [provider], tools: [hanging] });
    expect((await project.invoke({ agent_name: 'Clerk', payload: {}, signal: over.signal })).status).toBe('cancelled');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('every line of the log says whose run it is about, also those of model calls, servers and tools', async () => {
    const { folder, provider } = clerk(asks, { chunks: ['Five.'] });
    write(folder, 'config/agents/Clerk/v1.json', { ...agent, client_ids: ['voice'], enabled_tools: ['stock', 'echo'] });
    const server = join(repository, 'test/fixtures/mcp/server.mjs');
    write(folder, 'config/mcp.json', { servers: { voice: { command: process.execPath, args: [server] } } });
    const lines: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
    const talking = defineTool({
      ...{ name: 'stock', description: 'Talks.', parameters: stock.parameters },
      call: (_input, { logger }) => {
        logger.log('info', 'looked it up');
        return 'none';
      },
    });
    const project = openProject(folder, {
      providers: [provider],
      tools: [talking],
      ports: { logger: { log: (_level, message, fields = {}) => void lines.push({ message, fields }) } },
    });
    const context = { user_id: 'ada', session_id: 's1', trace_id: 'trace', correlation_id: 'order-7' };
    const { run_id, status } = await project.invoke({ agent_name: 'Clerk', payload: {}, context });
    expect(status).toBe('completed');
    const messages = lines.map(({ message }) => message);
    for (const message of ['run started', 'model call completed', 'model answered', 'looked it up', 'tool call completed', 'run completed'])
      expect(messages).toContain(message);
    expect(messages.some((message) => message.startsWith('MCP server "voice"'))).toBe(true);
    for (const { message, fields } of lines) expect(fields, message).toMatchObject({ agent: 'Clerk@v1', run_id, ...context });
    const stepOf = (message: string) => lines.filter((line) => line.message === message).map(({ fields }) => fields.step);
    expect(stepOf('model call completed')).toEqual([1, 2]);
    expect(stepOf('looked it up')).toEqual([1]);
  });
});
