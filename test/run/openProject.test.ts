import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LlmProvider } from '../../core/llm/providers/provider.js';
import type { LlmRequest } from '../../core/llm/types.js';
import { openProject } from '../../core/node/openProject.js';
import { defineTool } from '../../core/tools/registry.js';
import { temporaryProject } from '../cli/command.js';
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
          if (part.type === 'text') yield { type: 'texts', texts: [part.text] };
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

  test('leaving the events early ends the run and closes its tools', async () => {
    const { folder, provider } = clerk(asks, { chunks: ['Five.'] });
    const signals: AbortSignal[] = [];
    const hanging = defineTool({
      ...{ name: 'stock', description: 'Hangs.', parameters: stock.parameters },
      call: (_input, { signal }) => {
        signals.push(signal);
        return new Promise<string>(() => undefined);
      },
    });
    for await (const { type } of openProject(folder, { providers: [provider], tools: [hanging] }).run({
      agent_name: 'Clerk',
      payload: {},
    })) {
      if (type === 'tool_call') break;
    }
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });
});
