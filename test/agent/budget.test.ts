import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runAgent } from '../../core/agent/runAgent.js';
import type { RunRequest } from '../../core/agent/types.js';
import type { JsonObject } from '../../core/json.js';
import { describePrompt } from '../../core/prompt/describePrompt.js';
import { openai } from '../llm/conformance/chatWire.js';
import { gemini } from '../llm/conformance/geminiWire.js';
import { anthropic } from '../llm/conformance/messagesWire.js';
import type { WireAnswer, WireProvider } from '../llm/conformance/wire.js';
import { startWireServer } from '../llm/conformance/wireServer.js';
import { testClient } from '../llm/testClient.js';
import { type ScriptedAnswer, scriptedModel } from '../support/scriptedModel.js';
import { collectRun } from './collectRun.js';
import { sampleProject } from './sampleProject.js';

const said = '{"label": "bug", "reason": "it crashes"}';
const usage = { prompt_tokens: 300, completion_tokens: 20, total_tokens: 320, cached_tokens: 0 };

const agentFields = { model_name: 'gpt-4.1-mini', max_output_tokens: 200 };

async function loaded(fields: JsonObject, files: Readonly<Record<string, string>> = {}) {
  const { factory, ports } = sampleProject(fields, files);
  return { agent: await factory.load('Labels', 'v1'), ports };
}

/** One run whose model answers over HTTP in the vendor's format, and what the vendor heard. */
async function served(wire: WireProvider, fields: JsonObject, reply: Partial<WireAnswer> = {}) {
  const answer: WireAnswer = { type: 'answer', blocks: [{ type: 'text', pieces: [said] }], usage, ...reply };
  const server = await startWireServer(wire, answer);
  onTestFinished(() => server.close());
  const { agent, ports } = await loaded({ provider: wire.name, ...fields });
  const llm = testClient(
    { provider: wire.name, base_url: server.baseUrl, ...wire.settings },
    { variables: { [wire.keyVariable]: 'test-key-4f1d8a7c' } },
  );
  const { events, result } = await collectRun(runAgent({ agent, payload: { title: 'It crashes' }, llm, ports }));
  expect(server.refusals).toEqual([]);
  return { events, result, agent, heard: server.requests.map((request) => wire.read(request)) };
}

/** The same with a scripted model. */
async function scripted(fields: JsonObject, answers: readonly ScriptedAnswer[], options: Partial<RunRequest> = {}, files = {}) {
  const { agent, ports } = await loaded(fields, files);
  const model = scriptedModel(...answers);
  const { events, result } = await collectRun(runAgent({ agent, payload: { title: 'It crashes' }, llm: model, ports, ...options }));
  return { events, result, model };
}

describe.each([
  ['openai', openai, 'gpt-5-mini'],
  ['anthropic', anthropic, 'claude-fable-5-1'],
  ['gemini', gemini, 'gemini-2.5-flash'],
] as const)('a budget of 0.05 USD on %s', (_, wire, model_name) => {
  test('allows a call whose model may answer more than it can pay, with the limit that it can pay', async () => {
    const { result, events, heard, agent } = await served(wire, { model_name, budget: { max_cost: 0.05 } });
    expect(result).toMatchObject({ status: 'completed', output: { label: 'bug' } });
    const limit = heard[0]?.max_tokens ?? 0;
    expect(limit).toBeGreaterThan(256);
    expect(limit).toBeLessThan(agent.model?.max_output_tokens ?? 0);
    expect((limit * (agent.price?.output ?? 0)) / 1e6).toBeLessThan(0.05);
    expect(events.find(({ type }) => type === 'output_limit')).toMatchObject({ max_output_tokens: limit });
  });

  test('keeps a limit of the config that costs less', async () => {
    const { heard, events } = await served(wire, { model_name, max_output_tokens: 300, budget: { max_cost: 0.05 } });
    expect(heard[0]?.max_tokens).toBe(300);
    expect(events.some(({ type }) => type === 'output_limit')).toBe(false);
  });

  test('ends an answer that it cuts off as exceeded', async () => {
    const cut = { blocks: [{ type: 'text', pieces: ['{"label": "bug", "reas'] }], finish: 'length' } as const;
    const { result } = await served(wire, { model_name, budget: { max_cost: 0.05 } }, cut);
    expect(result.error).toMatchObject({ code: 'budget-exceeded' });
    expect(result.error?.message).toMatch(/^The answer was cut off at \d+ tokens, since the budget could not pay for more\./);
  });
});

describe('a call', () => {
  // gpt-4.1-mini: 0.4 USD a million tokens sent, 1.6 received. About 900 tokens are sent at most.
  test('is refused where not even a short answer can be paid', async () => {
    const { result, model } = await scripted({ budget: { max_cost: 0.0005 } }, [{ chunks: [said] }]);
    expect(model.requests).toEqual([]);
    expect(result.error).toMatchObject({ code: 'budget-exceeded' });
    expect(result.error?.message).toMatch(
      /^The budget of 0\.0005 USD does not allow another model call: 0 USD spent, at least [\d.]+ USD for the next call \(\d+ tokens sent, 256 received\)\. Raise budget\.max_cost, or send less\.$/,
    );
  });

  test('is allowed for less where its schema needs no more', async () => {
    const schema = { type: 'object', required: ['label'], additionalProperties: false, properties: { label: { enum: ['bug', 'wish'] } } };
    const fields = { output_schema: schema, enums: { label: ['bug', 'wish'] }, defaults: {} };
    const { result, model } = await scripted({ ...fields, budget: { max_cost: 0.0005 } }, [{ chunks: ['{"label": "bug"}'] }]);
    expect(result.status).toBe('completed');
    expect(model.requests[0]!.max_tokens).toBeGreaterThan(20);
  });

  test('has room for the thoughts that the profile asks for', async () => {
    const profile = { llm_id: 'deep', provider: 'openai', model_name: 'gpt-4.1-mini', options: { thinking: { budget_tokens: 20_000 } } };
    const files = { 'config/llms/deep.json': JSON.stringify(profile) };
    const fields = { llm_config_id: 'deep', model_name: undefined as never };
    const { result } = await scripted({ ...fields, budget: { max_cost: 0.03 } }, [], {}, files);
    expect(result.error?.message).toContain('20,256 received');
  });
});

describe('a model whose price is unknown', () => {
  const llama = { provider: 'openai_compatible', model_name: 'llama', output_schema: { type: 'object' }, enums: {}, defaults: {} };
  const profile = { llm_id: 'local', provider: 'openai_compatible', model_name: 'llama', base_url: 'http://127.0.0.1:9/v1' };
  const files = { 'config/llms/local.json': JSON.stringify(profile) };
  const fields = { ...llama, llm_config_id: 'local', mode: 'Writer' };

  test.each([
    ['of the agent', { budget: { max_cost: 0.05 } }, {}],
    ['of the caller', {}, { context: { budget: { max_cost: 0.05 } } }],
  ])('is not asked under a budget %s', async (_, agent, options) => {
    const { result, model } = await scripted({ ...fields, ...agent }, [{ chunks: ['{}'] }], options, files);
    expect(model.requests).toEqual([]);
    expect(result.error).toMatchObject({
      code: 'config-invalid',
      message:
        'The budget of 0.05 USD (budget.max_cost) cannot be enforced, since the price of llama is unknown. Give "price" in the llm profile or under "models" in agentstack.json, or allow it with --allow-unpriced (in the library budget.allow_unpriced).',
    });
  });

  test('is asked where the caller allows it, and the result says so', async () => {
    const options = { context: { budget: { max_cost: 0.05, allow_unpriced: true } } };
    const { result, model } = await scripted(fields, [{ chunks: ['{}'] }], options, files);
    expect(result).toMatchObject({ status: 'completed', metadata: { unpriced_models: ['llama'], estimated_cost_usd: null } });
    expect(model.requests[0]!.max_tokens).toBeUndefined();
  });

  test('says nothing of it without a budget', async () => {
    const { result } = await scripted(fields, [{ chunks: ['{}'] }], {}, files);
    expect(result.metadata).not.toHaveProperty('unpriced_models');
  });

  test('needs no price where no model is asked', async () => {
    const { result } = await scripted({ provider: 'offline', budget: { max_cost: 0.05 } }, [{ chunks: [said] }]);
    expect(result).toMatchObject({ status: 'completed', metadata: { estimated_cost_usd: 0 } });
  });

  test('gets a limit of 4096 tokens where its own limit is unknown', async () => {
    const priced = { ...profile, price: { input: 1, output: 2 } };
    const known = { 'config/llms/local.json': JSON.stringify(priced) };
    const { model } = await scripted({ ...fields, budget: { max_cost: 1 } }, [{ chunks: ['{}'] }], {}, known);
    expect(model.requests[0]!.max_tokens).toBe(4096);
  });
});

describe('a budget of the caller that is not one', () => {
  test.each<[object, string]>([
    [{ maxCost: 0.01 }, '/budget/maxCost is not a limit. Did you mean "max_cost"?'],
    [{ max_cost: Number.NaN }, '/budget/max_cost must be a number of at least 0, not NaN'],
    [{ max_cost: '0.01' }, '/budget/max_cost must be a number of at least 0, not 0.01'],
    [{ max_cost: -1 }, '/budget/max_cost must be a number of at least 0, not -1'],
    [{ max_time_ms: Number.NaN }, '/budget/max_time_ms must be a number of at least 0, not NaN'],
    [{ max_time_ms: Number.POSITIVE_INFINITY }, '/budget/max_time_ms must be a number of at least 0, not Infinity'],
    [{ allow_unpriced: 'no' }, '/budget/allow_unpriced must be true or false, not no'],
  ])('ends the run before a call: %j', async (budget, words) => {
    const { result, model } = await scripted({ model_name: 'gpt-5-mini' }, [{ chunks: [said] }], { context: { budget: budget as never } });
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'input-invalid', message: `The budget of the run is not valid: ${words}` },
    });
    expect(model.requests).toEqual([]);
  });
});

test('what a prompt is said to cost at most is enough for its call', async () => {
  const any = fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 2000 }), async (text) => {
    const { agent } = await loaded({ ...agentFields, system_text: `Label the issue. ${text}.` });
    const { worst_case, typical_cost } = await describePrompt(agent, { title: 'It crashes' });
    const max_cost = worst_case?.cost ?? Number.NaN;
    expect(typical_cost).toMatchObject({ basis: 'schema', runs: 0 });
    expect(typical_cost?.usd).toBeLessThan(max_cost);
    const { result } = await scripted({ ...agentFields, system_text: `Label the issue. ${text}.` }, [{ chunks: [said] }], {
      context: { budget: { max_cost } },
    });
    expect(result.status).toBe('completed');
  });
  await fc.assert(any, { numRuns: 30 });
});
