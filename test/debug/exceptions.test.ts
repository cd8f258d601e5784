import type { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { offlineProfile, temporaryProject, toneAgent, toneProject } from '../cli/command.js';
import { type LoopbackReply, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { debuggerIn } from './debugClient.js';

const key = 'sk-test-0123456789abcdef';
const env = { OPENAI_API_KEY: key, NO_PROXY: '*' };

/** The agent Tone with a server that answers these, in order. */
async function served(replies: readonly LoopbackReply[], agent: object = {}) {
  const server = await startLoopbackOpenAi(replies, { key });
  onTestFinished(() => server.close());
  const real = { llm_id: 'real', provider: 'openai', model_name: 'gpt-4.1-mini', base_url: server.url, api_key: 'secret://openai_api_key' };
  return toneProject({
    'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'real', ...agent },
    'config/llms/real.json': real,
  });
}

/** What each stop of a run says of its finding, with what the filters were answered. */
async function findingsIn(client: DebugClient, args: object, wanted: DebugProtocol.SetExceptionBreakpointsArguments) {
  const infos: (DebugProtocol.ExceptionInfoResponse['body'] & { values: string })[] = [];
  client.on('stopped', async ({ body: { threadId = 0, reason } }) => {
    const { body } = await client.customRequest('exceptionInfo', { threadId }).catch(() => ({ body: { exceptionId: reason } }));
    const scopes = (await client.scopesRequest({ frameId: 1 })).body.scopes.map(({ name }) => name);
    infos.push({ ...body, values: scopes.slice(0, 1).join() });
    await client.continueRequest({ threadId });
  });
  const over = client.waitForEvent('terminated');
  const ready = client.waitForEvent('initialized');
  await client.launchRequest(args as never);
  await ready;
  const { body } = await client.setExceptionBreakpointsRequest(wanted);
  await client.configurationDoneRequest();
  await over;
  return { infos, answers: body?.breakpoints };
}

const call = { agent: 'Tone', case: 'greeting' };
const all = { filters: ['repair', 'retry', 'refused-answer', 'denied-tool', 'budget-80', 'error'] };

describe('exception breakpoints', () => {
  test('are offered as filters', async () => {
    const client = await debuggerIn(toneProject());
    const { body } = await client.initializeRequest({ adapterID: 'agent-stack', pathFormat: 'path' });
    expect(body?.exceptionBreakpointFilters?.map(({ filter, default: isDefault = false }) => [filter, isDefault])).toEqual(
      all.filters.map((filter) => [filter, filter === 'error']),
    );
    expect(body).toMatchObject({ supportsExceptionInfoRequest: true, supportsExceptionFilterOptions: true });
  });

  test('stop at a retry, a refused answer, a repair and the error that ends the run', async () => {
    const cwd = await served(
      [
        { status: 500, body: '{"error": {"message": "Overloaded."}}' },
        { text: ['{"tone": "loud"}'] },
        { text: ['Here: {"tone": "formal"}'] },
      ],
      { retry_invalid: 1 },
    );
    const { infos, answers } = await findingsIn(await debuggerIn(cwd, env), call, all);
    expect(answers).toEqual(all.filters.map(() => ({ verified: true })));
    expect(infos.map(({ exceptionId }) => exceptionId)).toEqual(['Tried again', 'Answer refused', 'Answer repaired']);
    expect(infos[0]?.description).toContain('Overloaded.');
    expect(infos[1]).toMatchObject({
      description: expect.stringContaining('- /tone: must be "friendly" or "formal"'),
      details: { typeName: 'output-invalid', stackTrace: expect.stringContaining('in call 1 of Tone@v1') },
      values: 'finding',
    });
  });

  test('take conditions, and say what is no finding', async () => {
    const cwd = await served([{ text: ['{"tone": "loud"}'] }]);
    const condition = (value: string) => JSON.stringify({ field: 'finding.code', operator: 'equals', value });
    const { infos, answers } = await findingsIn(await debuggerIn(cwd, env), call, {
      filters: ['errors'],
      filterOptions: [
        { filterId: 'error', condition: condition('output-invalid') },
        { filterId: 'refused-answer', condition: condition('timeout') },
        { filterId: 'retry', condition: '{"field": "answer.text", "operator": "exists"}' },
      ],
    });
    expect(answers).toEqual([
      { verified: false, message: expect.stringContaining('There is no finding errors. Did you mean "error"') },
      { verified: true },
      { verified: true },
      { verified: false, message: expect.stringContaining('At a finding there is no answer.') },
    ]);
    expect(infos.map(({ exceptionId }) => exceptionId)).toEqual(['The answer does not fit the schema (output-invalid)']);
  });

  test('stop at the end of an orchestration that ends with an error of its own', async () => {
    const condition = { task: 'tone', status: 'failure' };
    const cwd = temporaryProject({
      'config/agents/Tone/v1.json': toneAgent,
      'config/llms/offline.json': offlineProfile,
      'config/orchestrations/judge.json': {
        name: 'judge',
        entry_team: 'a',
        context: { text: 'A friendly hello' },
        teams: {
          a: {
            name: 'a',
            tasks: [{ name: 'tone', agent: 'Tone@v1', input: { text: '{{context.text}}' } }],
            routing: { rules: [{ condition, next_team: null }] },
          },
        },
      },
    });
    const { infos } = await findingsIn(await debuggerIn(cwd), { orchestration: 'judge', input: {} }, { filters: ['error'] });
    expect(infos).toEqual([
      expect.objectContaining({ exceptionId: 'No route leads on (no-route)', description: expect.stringContaining('No rule of team "a"') }),
    ]);
  });
});
