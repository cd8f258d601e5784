import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LlmProvider } from '../../core/llm/providers/provider.js';
import type { LlmRequest } from '../../core/llm/types.js';
import { openProject } from '../../core/node/openProject.js';
import { readRecordHeader } from '../../core/node/recordFiles.js';
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
  const folder = temporaryProject({ 'config/agents/Clerk/v1.json': agent });
  const { provider, requests } = scripted(...answers);
  return { folder, requests, provider, project: openProject(folder, { providers: [provider], tools: [stock] }) };
}

describe("a program's own tools", () => {
  const undeclared = { 'config/agents/Clerk/v1.json': agent };

  test('need no declaration: the agent is checked, frozen and run with them', async () => {
    const folder = temporaryProject(undeclared);
    const { provider, requests } = scripted(asks, { chunks: ['Five.'] });
    const project = openProject(folder, { providers: [provider], tools: [stock] });
    expect((await project.check()).findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const result = await project.invoke({ agent_name: 'Clerk', payload: {} });
    expect(result).toMatchObject({ status: 'completed', metadata: { tools_used: ['stock'] } });
    expect(requests[0]?.tools?.find(({ name }) => name === 'stock')).toMatchObject({ description: stock.description });
    const loaded = await project.load({ agent_name: 'Clerk' });
    if ('error' in loaded) throw loaded.error;
    expect(loaded.agent.snapshot.text).toContain(stock.description);
    expect((await project.factory.load('Clerk', 'v1')).snapshot.hash).toBe(loaded.agent.snapshot.hash);
  });

  test('are refused where agentstack.json declares them otherwise, with both sides named', async () => {
    const skills = { stock: { ...declared.stock, parameters: { type: 'object', properties: { title: { type: 'string' } } } } };
    const folder = temporaryProject({ ...undeclared, 'agentstack.json': { skills } });
    const { provider, requests } = scripted(asks);
    const project = openProject(folder, { providers: [provider], tools: [stock] });
    const { error } = await project.invoke({ agent_name: 'Clerk', payload: {} });
    expect(error).toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(/agentstack\.json:\d+:\d+ skill-differs: .*"title".*"item"/),
    });
    expect((await project.check()).findings.map(({ code, file }) => [code, file])).toContainEqual(['skill-differs', 'agentstack.json']);
    expect(requests).toEqual([]);
  });

  test('may be declared in part: what the declaration leaves out is what the code says', async () => {
    const folder = temporaryProject({ ...undeclared, 'agentstack.json': { skills: { stock: { description: stock.description } } } });
    const { provider, requests } = scripted({ chunks: ['Five.'] });
    await openProject(folder, { providers: [provider], tools: [stock] }).invoke({ agent_name: 'Clerk', payload: {} });
    expect(requests[0]?.tools?.find(({ name }) => name === 'stock')?.parameters).toEqual(stock.parameters);
  });
});

describe("a program's own provider", () => {
  const files = {
    'config/agents/Clerk/v1.json': { ...agent, provider: undefined, model_name: undefined, llm_config_id: 'main', enabled_tools: [] },
    'config/llms/main.json': { llm_id: 'main', provider: 'mycorp', model_name: 'large' },
  };

  test('is legal in profiles by the name it has', async () => {
    const { provider } = scripted({ chunks: ['Hello.'] });
    const project = openProject(temporaryProject(files), { providers: [{ ...provider, name: 'mycorp' }] });
    expect((await project.check()).findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const result = await project.invoke({ agent_name: 'Clerk', payload: {} });
    expect(result).toMatchObject({ status: 'completed', text: 'Hello.', metadata: { provider: 'mycorp', model_name: 'large' } });
  });

  test('is refused where the program does not register it, and check says so too', async () => {
    const project = openProject(temporaryProject(files));
    const { error } = await project.invoke({ agent_name: 'Clerk', payload: {} });
    expect(error).toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('config/llms/main.json:3:15 unknown-provider'),
    });
    expect((await project.check()).findings).toContainEqual(
      expect.objectContaining({ code: 'unknown-provider', file: 'config/llms/main.json' }),
    );
  });
});

describe('the module of tools that agentstack.json names', () => {
  const module = `export const stock = {
    name: 'stock', description: 'Tells how many of an item there are.',
    parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
    call: ({ item }) => \`\${item.length} of \${item}\`,
  };`;
  const files = { 'agentstack.json': { tools: './tools/index.mjs' }, 'config/agents/Clerk/v1.json': agent };

  test('is loaded by whatever opens the project', async () => {
    const folder = temporaryProject(files);
    write(folder, 'tools/index.mjs', module);
    const { provider } = scripted(asks, { chunks: ['Five.'] });
    const project = openProject(folder, { providers: [provider] });
    expect((await project.check()).findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const result = await project.invoke({ agent_name: 'Clerk', payload: {} });
    expect(result.reasoning.steps[0]).toMatchObject({ observation: '5 of bolts' });
  });

  test("gives way to the program's own tools of the same names", async () => {
    const folder = temporaryProject(files);
    write(folder, 'tools/index.mjs', module);
    const { provider } = scripted(asks, { chunks: ['Five.'] });
    const result = await openProject(folder, { providers: [provider], tools: [stock] }).invoke({ agent_name: 'Clerk', payload: {} });
    expect(result.reasoning.steps[0]).toMatchObject({ observation: '5 of bolts, for nobody' });
  });

  test.each([
    ['is not there', undefined, 'there is no such file'],
    ['throws', 'throw new Error("no warehouse");', 'no warehouse'],
    ['exports no tool', 'export const stock = 5;', 'It exports no tool'],
    [
      'exports one that is broken',
      `export const stock = { name: 'two words', description: 'x', call: () => 1 };`,
      'cannot be named "two words"',
    ],
  ])('stops a run that needs it, and check says why: %s', async (_name, text, words) => {
    const folder = temporaryProject(files);
    if (text !== undefined) write(folder, 'tools/index.mjs', text);
    const project = openProject(folder);
    const expected = `The tools of ./tools/index.mjs cannot be loaded: `;
    const found = (await project.check()).findings.filter(({ code }) => code === 'tools-module');
    expect(found).toMatchObject([{ file: 'agentstack.json', pointer: '/tools', message: expect.stringContaining(expected) }]);
    expect(found[0]?.message).toContain(words);
    const { error } = await project.invoke({ agent_name: 'Clerk', payload: {} });
    expect(error).toMatchObject({ code: 'config-invalid', message: expect.stringContaining(words) });
  });

  test('is never read from outside of the project', async () => {
    const outside = temporaryProject({});
    write(outside, 'index.mjs', module);
    const folder = temporaryProject(files);
    mkdirSync(join(folder, 'tools'));
    symlinkSync(join(outside, 'index.mjs'), join(folder, 'tools/index.mjs'));
    const { error } = await openProject(folder).invoke({ agent_name: 'Clerk', payload: {} });
    expect(error?.message).toContain('leads out of the project');
    write(folder, 'agentstack.json', { tools: '../x.mjs' });
    expect((await openProject(folder).check()).findings.map(({ code }) => code)).toContain('schema');
  });
});

test('a run without the name of an agent says what is missing', async () => {
  const project = openProject(temporaryProject({ 'config/agents/Clerk/v1.json': agent }));
  const nothing = { payload: {} } as unknown as { agent_name: string; payload: object };
  await expect(project.invoke(nothing)).rejects.toThrow('A run needs agent_name, the name of an agent');
  await expect(project.orchestrate({} as { name: string }).next()).rejects.toThrow('A run needs name, the name of an orchestration');
  await expect(project.load({} as { agent_name: string })).rejects.toThrow('load needs agent_name, the name of an agent.');
  await expect(project.loadOrchestration({} as { name: string })).rejects.toThrow('loadOrchestration needs name');
});

test('a project is opened by its options alone, and what is not a tool is refused by name', async () => {
  const directory = temporaryProject({ 'config/agents/Clerk/v1.json': agent });
  expect((await openProject({ directory, tools: [] }).check()).files).toBe(1);
  expect(() => openProject({ directory, tools: [{ name: 'stock' } as never] })).toThrow(
    'Make every tool with defineTool: {"name":"stock"} is none.',
  );
});

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
    write(folder, 'agentstack.json', { skills: declared });
    const result = await openProject(folder, { providers: [provider] }).invoke({ agent_name: 'Clerk', payload: {} });
    expect(result.error).toMatchObject({ code: 'tool-execution', message: expect.stringContaining('"stock"') });
  });

  test('refuses a tool whose schema is none, before anything runs', async () => {
    const { folder, provider } = clerk();
    const broken = defineTool({ name: 'stock', description: 'x', parameters: { type: 'object', required: 'item' }, call: () => null });
    await expect(
      openProject(folder, { providers: [provider], tools: [broken] }).invoke({ agent_name: 'Clerk', payload: {} }),
    ).rejects.toThrow('not a JSON Schema');
    expect(() => openProject(folder, { tools: [stock, stock] })).toThrow('two tools named stock');
  });

  test('goes on with a session, also in runs that are not kept, and keeps no run unless asked to', async () => {
    const { folder, project, requests } = clerk({ chunks: ['First.'] }, { chunks: ['Second.'] }, { chunks: ['Third.'] });
    const request = { agent_name: 'Clerk', payload: {}, context: { session_id: 's' } };
    await project.invoke(request);
    const file = join(folder, '.agentstack/sessions/s.jsonl');
    expect(existsSync(join(folder, '.agentstack/runs'))).toBe(false);
    await project.invoke({ ...request, keep: 'folder' });
    expect(JSON.stringify(requests[1]?.messages)).toContain('First.');
    expect(readFileSync(file, 'utf8')).toContain('Second.');
    await project.invoke(request);
    expect(JSON.stringify(requests[2]?.messages)).toContain('Second.');
    expect(readdirSync(join(folder, '.agentstack/runs'))).toHaveLength(1);
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
    // A declaration tells what a tool is where the program that has it does not run.
    write(folder, 'agentstack.json', { skills: declared });
    const record = join(folder, 'records/one.jsonl');
    const request = { agent_name: 'Clerk', payload: {}, keep: 'none' as const };
    const result = await project.invoke({ ...request, record });
    expect(readRecordHeader(record)).toMatchObject({ agent_name: 'Clerk', version: 'v1', input: {} });
    const again = await openProject(folder).invoke({ ...request, replay: record });
    expect(again).toMatchObject({
      status: 'completed',
      text: 'Five.',
      conversation: result.conversation,
      source_documents: result.source_documents,
    });
    expect(existsSync(join(folder, '.agentstack'))).toBe(false);
  });

  test('a record says what its run was given, without secrets, and what the call replaced', async () => {
    const { folder, project } = clerk({ chunks: ['Five.'] });
    const record = join(folder, 'records/one.jsonl');
    const payload = { question: 'How many?', api_key: 'q8Zt4Lw0Xb2Vn7KcPd5R' };
    await project.invoke({ agent_name: 'Clerk', payload, overrides: { config: { temperature: 1 } }, record });
    const header = readRecordHeader(record);
    expect(header).toMatchObject({ input: { question: 'How many?' }, overrides: { config: { temperature: 1 } } });
    expect(JSON.stringify(header)).not.toContain('q8Zt4Lw0');
    expect(readRecordHeader(join(folder, 'config/agents/Clerk/v1.json'))).toBeUndefined();
    expect(readRecordHeader(join(folder, 'missing.jsonl'))).toBeUndefined();
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
    for await (const event of project.run({ agent_name: 'Clerk', payload: {}, keep: 'folder' })) {
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
