import { describe, expect, test } from 'vitest';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import { runAgent } from '../../core/agent/runAgent.js';
import type { RunRequest, RunStore } from '../../core/agent/types.js';
import { LlmError, StorageError } from '../../core/errors.js';
import { createLlmClient } from '../../core/llm/llmClient.js';
import type { LlmClient } from '../../core/llm/types.js';
import { type ScriptedAnswer, scriptedModel } from '../support/scriptedModel.js';
import { validateEvent, validateResult } from '../support/validateRun.js';
import { sampleProject } from './sampleProject.js';

const answer = (text: string, rest: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({
  chunks: [text.slice(0, 5), text.slice(5)],
  ...rest,
});
const good = answer('{"label": "bug", "reason": "it crashes"}');

async function start(model: LlmClient, options: Partial<RunRequest> = {}, agentFields = {}) {
  const { factory, ports } = sampleProject(agentFields);
  const agent = await factory.load('Labels', 'v1');
  return { ports, run: runAgent({ agent, payload: { title: 'It crashes' }, llm: model, ports, ...options }) };
}

/** All events of a run; each is checked against the schema, their numbers and the one final event at the end. */
async function collect(run: AsyncIterable<AgentEvent>): Promise<{ events: AgentEvent[]; result: RunResult }> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  for (const event of events) expect(validateEvent(event)).toEqual([]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(events.filter(({ final }) => final)).toHaveLength(1);
  const last = events.at(-1)!;
  if (last.type !== 'final') throw new Error(`The last event is ${last.type}`);
  expect(validateResult(last.result)).toEqual([]);
  return { events, result: last.result };
}

/** The same events; does something once one of a type has come. */
async function* whenever(run: AsyncIterable<AgentEvent>, type: AgentEvent['type'], act: () => void): AsyncGenerator<AgentEvent> {
  for await (const event of run) {
    yield event;
    if (event.type === type) act();
  }
}

const types = (events: readonly AgentEvent[]) => events.map(({ type }) => type).join(' ');

describe('a run that completes', () => {
  test('streams its events in order and ends with the validated output', async () => {
    const model = scriptedModel(good);
    const { run } = await start(model);
    const { events, result } = await collect(run);
    expect(types(events)).toBe('run_start step_start chunk chunk step_end final');
    expect(result).toMatchObject({
      success: true,
      status: 'completed',
      output: { label: 'bug', reason: 'it crashes' },
      error: null,
      text: '{"label": "bug", "reason": "it crashes"}',
      metadata: {
        agent_name: 'Labels',
        agent_version: 'v1',
        provider: 'openai',
        model_name: 'gpt-4.1-mini',
        iterations: 1,
        token_usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cached_tokens: 0 },
        simulated: false,
      },
    });
    expect(result.conversation.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    expect(result.metadata.estimated_cost_usd).toBeGreaterThan(0);
    expect(result.metadata.snapshot_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(model.requests[0]).toMatchObject({ model: 'gpt-4.1-mini', temperature: 0, response_format: { type: 'json_schema' } });
  });

  test('without an output schema, ends with the text', async () => {
    const free = { mode: null, output_schema: null, enums: null, defaults: null };
    const model = scriptedModel(answer('It crashes because of a null.'));
    const { run } = await start(model, {}, free);
    const { events, result } = await collect(run);
    expect(types(events)).toBe('run_start step_start chunk chunk step_end final');
    expect(result).toMatchObject({ success: true, status: 'completed', output: null, text: 'It crashes because of a null.' });
    expect(model.requests[0]).not.toHaveProperty('response_format');
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'It crashes' });
    const cut = await collect((await start(scriptedModel(answer('It cra', { finish_reason: 'length' })), {}, free)).run);
    expect(cut.result.error).toMatchObject({ code: 'llm', details: { reason: 'length' } });
  });

  test('asked for at once, yields the answer as one chunk', async () => {
    const { run } = await start(scriptedModel(good), { delivery: 'call' });
    const { events, result } = await collect(run);
    expect(types(events)).toBe('run_start step_start chunk step_end final');
    expect(result.success).toBe(true);
  });

  test('fills defaults and says so', async () => {
    const { run } = await start(scriptedModel(answer('```json\n{"label": "bug"}\n```')));
    const { events, result } = await collect(run);
    expect(types(events)).toContain('repair step_end final');
    expect(result.output).toEqual({ label: 'bug', reason: 'not given' });
    expect(result.metadata.repairs.map(({ keyword }) => keyword).sort()).toEqual(['default', 'fence']);
    expect(result.reasoning.confidence).toBe(0.8);
  });

  test('passes retries on', async () => {
    const { run } = await start(scriptedModel({ ...good, retries: [{ attempt: 1, wait_ms: 500, reason: 'rate-limit' }] }));
    const { events } = await collect(run);
    expect(events.find(({ type }) => type === 'retry')).toMatchObject({ attempt: 1, wait_ms: 500, reason: 'rate-limit' });
  });

  test('carries the ids of its context', async () => {
    const { run } = await start(scriptedModel(good), { context: { trace_id: 'trace', correlation_id: 'order-7' } });
    const { result } = await collect(run);
    expect(result.metadata).toMatchObject({ trace_id: 'trace', correlation_id: 'order-7' });
  });
});

describe('a run that fails keeps what it had', () => {
  test('an answer the schema refuses', async () => {
    const { run } = await start(scriptedModel(answer('{"label": "wish", "reason": ""}')));
    const { events, result } = await collect(run);
    expect(types(events)).toBe('run_start step_start chunk chunk step_end final');
    expect(result).toMatchObject({ success: false, status: 'failed', output: null, text: '{"label": "wish", "reason": ""}' });
    expect(result.error).toMatchObject({ code: 'output-invalid', recoverable: true });
    expect(result.metadata.token_usage.total_tokens).toBe(15);
  });

  test('an answer cut off at the output limit', async () => {
    const { run } = await start(scriptedModel(answer('{"label": "bug", "rea', { finish_reason: 'length' })));
    const { result } = await collect(run);
    expect(result.error).toMatchObject({ code: 'llm', details: { reason: 'length' } });
    expect(result.error?.message).toContain('max_output_tokens');
  });

  test('half a stream', async () => {
    const { run } = await start(scriptedModel({ chunks: ['{"label": '], error: new LlmError('network', 'The connection broke.') }));
    const { result } = await collect(run);
    expect(result.error).toMatchObject({ code: 'llm', details: { reason: 'network' } });
    expect(result.text).toBe('{"label": ');
    expect(result.conversation).toHaveLength(3);
  });

  test('a bug of ours is told apart and reaches the log with its stack', async () => {
    const { run, ports } = await start(scriptedModel());
    const { result } = await collect(run);
    expect(result.error?.code).toBe('internal');
    expect(ports.lines.find(({ level }) => level === 'error')?.fields?.stack).toContain('scriptedModel');
  });

  test('an agent type that cannot be run', async () => {
    const { factory, ports } = sampleProject();
    const agent = await factory.load('Labels', 'v1');
    const config = { ...agent.resolved.config, agent_type: 'dreaming' as never };
    const odd = { ...agent, resolved: { ...agent.resolved, config } };
    const { result } = await collect(runAgent({ agent: odd, payload: { title: 'x' }, llm: scriptedModel(), ports }));
    expect(result.error).toMatchObject({ code: 'config-invalid' });
    expect(result.error?.message).toContain('"single_shot" or "react" or "orchestrating"');
  });

  test('a budget that is used up', async () => {
    const model = scriptedModel(good);
    const { run } = await start(model, { context: { budget: { max_cost: 0 } } });
    const { result } = await collect(run);
    expect(result.error?.code).toBe('budget-exceeded');
    expect(model.requests).toEqual([]);
  });
});

describe('a run that is ended', () => {
  test('by its time limit fails with timeout, keeping the text so far', async () => {
    const { run, ports } = await start(scriptedModel({ chunks: ['{"label'], hangs: true }), {}, { timeout_ms: 2000 });
    const collected = collect(run);
    await ports.clock.pass(0);
    await ports.clock.pass(2000);
    const { result } = await collected;
    expect(result.error).toMatchObject({ code: 'timeout', recoverable: true });
    expect(result.error?.message).toContain('2000 ms (timeout_ms)');
    expect(result.text).toBe('{"label');
  });

  test('by a wait that its time limit would cut anyway, as soon as that is known', async () => {
    const model = scriptedModel(good, good);
    await collect((await start(model, {}, { timeout_ms: 20_000, budget: { max_time_ms: 15_000 } })).run);
    expect(model.requests[0]?.deadline).toBe(15_000);
    await collect((await start(model)).run);
    expect(model.requests[1]?.deadline).toBe(30_000);
    const { ports } = sampleProject();
    const busy = async () => new Response('{"error": {"message": "busy"}}', { status: 429, headers: { 'retry-after': '45' } });
    const secrets = { get: () => undefined };
    const llm = createLlmClient({ provider: 'openai' }, { ...ports, secrets, environment: { get: () => 'sk-test-key' }, fetch: busy });
    const { result } = await collect((await start(llm)).run);
    expect(result.error).toMatchObject({ code: 'llm', details: { reason: 'rate-limit', attempts: 1 } });
    expect(result.error?.message).toContain('The next try would have to wait 45 s, which is past the deadline of this call.');
  });

  test('by its time budget', async () => {
    const { run, ports } = await start(scriptedModel({ chunks: [], hangs: true }), {}, { budget: { max_time_ms: 100 } });
    const collected = collect(run);
    await ports.clock.pass(0);
    await ports.clock.pass(100);
    expect((await collected).result.error?.message).toContain('budget.max_time_ms');
  });

  test('by its caller is cancelled', async () => {
    const controller = new AbortController();
    const { run } = await start(scriptedModel({ chunks: ['{'], hangs: true }), { signal: controller.signal });
    const events: AgentEvent[] = [];
    for await (const event of run) {
      events.push(event);
      if (event.type === 'chunk') controller.abort();
    }
    const last = events.at(-1)!;
    expect(last.type === 'final' && last.result).toMatchObject({ status: 'cancelled', success: false, error: { code: 'cancelled' } });
  });

  test('says what it used as far as it is known: what had arrived, and the request that was being answered', async () => {
    const cancel = new AbortController();
    const { run } = await start(scriptedModel({ chunks: ['{"label": "bug", ', '"reason": "it'], hangs: true }), { signal: cancel.signal });
    const { result } = await collect(whenever(run, 'chunk', () => cancel.abort()));
    const { token_usage, token_usage_incomplete, estimated_cost_usd } = result.metadata;
    expect(token_usage_incomplete).toBe(true);
    expect(token_usage.prompt_tokens).toBeGreaterThan(50);
    expect(token_usage.completion_tokens).toBeGreaterThan(3);
    expect(token_usage.total_tokens).toBe(token_usage.prompt_tokens + token_usage.completion_tokens);
    expect(estimated_cost_usd).toBeGreaterThan(0);
  });

  test('before anything of the answer came used an unknown number of tokens', async () => {
    const cancel = new AbortController();
    const { run } = await start(scriptedModel({ chunks: [], hangs: true }), { signal: cancel.signal });
    const { result } = await collect(whenever(run, 'step_start', () => setTimeout(() => cancel.abort())));
    expect(result.metadata).toMatchObject({ token_usage: { total_tokens: 0 }, token_usage_incomplete: true });
  });

  test('by a provider that refused the request used nothing', async () => {
    const { result } = await collect((await start(scriptedModel({ chunks: [], error: new LlmError('auth', 'No.') }))).run);
    expect(result.metadata).toMatchObject({ token_usage: { total_tokens: 0 }, estimated_cost_usd: 0 });
    expect(result.metadata).not.toHaveProperty('token_usage_incomplete');
    const broken = await collect((await start(scriptedModel({ chunks: [], error: new LlmError('network', 'Away.') }))).run);
    expect(broken.result.metadata.token_usage_incomplete).toBe(true);
  });

  test('before it began is cancelled without a call', async () => {
    const model = scriptedModel(good);
    const { run } = await start(model, { signal: AbortSignal.abort() });
    expect((await collect(run)).result.status).toBe('cancelled');
    expect(model.requests).toEqual([]);
  });

  test('leaves no timer behind', async () => {
    const { run, ports } = await start(scriptedModel(good));
    await collect(run);
    expect(ports.clock.sleeping).toBe(0);
  });
});

describe('a store', () => {
  const memoryStore = (fail?: 'begin' | 'event' | 'end') => {
    const kept: { events: AgentEvent[]; result?: RunResult } = { events: [] };
    const guard = (at: string) => {
      if (fail === at) throw new StorageError('The disk is full. Free some space.');
    };
    const store: RunStore = {
      async begin() {
        guard('begin');
        return { snapshot_path: '.agentstack/runs/x/effective_config_y.json' };
      },
      event(event) {
        guard('event');
        kept.events.push(event);
      },
      end(result) {
        guard('end');
        kept.result = result;
      },
    };
    return { kept, store };
  };

  test('holds every event and the result', async () => {
    const { kept, store } = memoryStore();
    const { run } = await start(scriptedModel(good), { store });
    const { events, result } = await collect(run);
    expect(kept.events).toEqual(events);
    expect(kept.result).toEqual(result);
    expect(result.metadata.snapshot_path).toBe('.agentstack/runs/x/effective_config_y.json');
  });

  test('that cannot begin stops the run before any money is spent', async () => {
    const model = scriptedModel(good);
    const { run } = await start(model, { store: memoryStore('begin').store });
    expect((await collect(run)).result.error?.code).toBe('storage');
    expect(model.requests).toEqual([]);
  });

  test('that cannot end hands the paid answer on, and says it was not kept', async () => {
    const { run } = await start(scriptedModel(good), { store: memoryStore('end').store });
    const { result } = await collect(run);
    expect(result).toMatchObject({ success: false, status: 'failed', output: { label: 'bug' }, error: { code: 'storage' } });
  });

  test('gets a cancelled result when the consumer leaves in the middle', async () => {
    const { kept, store } = memoryStore();
    const { run } = await start(scriptedModel({ chunks: ['{'], hangs: true }), { store });
    for await (const event of run) if (event.type === 'chunk') break;
    expect(kept.result).toMatchObject({ status: 'cancelled', text: '{' });
    expect(kept.events.at(-1)?.type).toBe('final');
  });
});
