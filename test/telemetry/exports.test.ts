import { afterEach, describe, expect, test } from 'vitest';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import { observeRun, type RunObserver } from '../../core/agent/observeRun.js';
import { runAgent } from '../../core/agent/runAgent.js';
import type { RunRequest } from '../../core/agent/types.js';
import { LlmError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import type { LlmClient } from '../../core/llm/types.js';
import { createNodeFetch } from '../../core/node/nodeFetch.js';
import { createNodeClock, createNodeRandom } from '../../core/node/nodePorts.js';
import { openProject } from '../../core/node/openProject.js';
import { readTraceparent } from '../../core/runContext.js';
import { createTelemetry } from '../../core/telemetry/createTelemetry.js';
import { sampleProject } from '../agent/sampleProject.js';
import { type ScriptedAnswer, scriptedModel } from '../support/scriptedModel.js';
import { scriptedTools } from '../support/scriptedTools.js';
import type { LogLine } from '../support/testPorts.js';
import { type Answer, type LoopbackCollector, type SeenSpan, startLoopbackCollector } from './loopbackCollector.js';

const answer: ScriptedAnswer = {
  chunks: ['{"label": "bug", ', '"reason": "it crashes"}'],
  usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150, cached_tokens: 40, cache_write_tokens: 60, reasoning_tokens: 20 },
};

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function collector(...answers: readonly Answer[]): Promise<LoopbackCollector> {
  const started = await startLoopbackCollector(...answers);
  open.push(() => started.close());
  return started;
}

/** Telemetry as the variables ask for it, through Node's own HTTP. */
function telemetry(variables: Readonly<Record<string, string>>): { readonly observer: RunObserver; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const fetch = createNodeFetch();
  open.push(async () => fetch.close());
  const observer = createTelemetry(
    { get: (name) => variables[name] },
    {
      clock: createNodeClock(),
      random: createNodeRandom(),
      fetch,
      logger: { log: (level, message, fields) => void lines.push({ level, message, fields }) },
    },
  );
  if (!observer) throw new Error('Nothing is exported with these variables.');
  return { observer, lines };
}

interface RunOptions extends Partial<Pick<RunRequest, 'context' | 'signal' | 'delivery' | 'openTools'>> {
  readonly agent?: JsonObject;
}

async function run(observer: RunObserver, model: LlmClient, { agent = {}, ...options }: RunOptions = {}): Promise<RunResult> {
  const { factory, ports } = sampleProject(agent);
  const loaded = await factory.load('Labels', 'v1');
  const random = createNodeRandom();
  let last: AgentEvent | undefined;
  const request = {
    agent: loaded,
    payload: { title: 'It crashes' },
    llm: model,
    ports: { ...ports, random, clock: createNodeClock() },
    ...options,
  };
  for await (const event of observeRun(observer, request)) last = event;
  await observer.flush?.();
  if (last?.type !== 'final') throw new Error(`The last event is ${last?.type}`);
  return last.result;
}

describe('the spans of a run', () => {
  test('one for the run, and below it one for the model call, in the trace its result names', async () => {
    const { origin, spans, resource } = await collector();
    const { observer } = telemetry({
      OTEL_EXPORTER_OTLP_ENDPOINT: origin,
      OTEL_SERVICE_NAME: 'triage',
      OTEL_RESOURCE_ATTRIBUTES: 'team=platform%20one',
    });
    const result = await run(observer, scriptedModel(answer), { context: { user_id: 'u1', session_id: 's1', correlation_id: 'c1' } });

    const [chat, agent] = spans;
    expect(spans.map(({ name }) => name)).toEqual(['chat gpt-4.1-mini', 'invoke_agent Labels']);
    expect(agent).toMatchObject({ traceId: result.metadata.trace_id, kind: 1, status: { code: 0 } });
    expect(agent?.parentSpanId ?? '').toBe('');
    expect(chat).toMatchObject({ traceId: agent?.traceId, parentSpanId: agent?.spanId, kind: 3, status: { code: 0 } });
    expect(agent!.start <= chat!.start && chat!.start <= chat!.end && chat!.end <= agent!.end).toBe(true);
    expect(agent?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'openai',
      'gen_ai.agent.name': 'Labels',
      'gen_ai.agent.version': 'v1',
      'gen_ai.conversation.id': 's1',
      'gen_ai.output.type': 'json',
      'gen_ai.request.model': 'gpt-4.1-mini',
      'gen_ai.usage.input_tokens': 120,
      'gen_ai.usage.output_tokens': 30,
      'user.id': 'u1',
      'session.id': 's1',
      'agent_stack.run_id': result.run_id,
      'agent_stack.correlation_id': 'c1',
      'agent_stack.agent_type': 'single_shot',
      'agent_stack.status': 'completed',
      'agent_stack.iterations': 1,
      'agent_stack.cost_usd': result.metadata.estimated_cost_usd,
      'agent_stack.snapshot_hash': result.metadata.snapshot_hash,
    });
    expect(chat?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4.1-mini',
      'gen_ai.request.temperature': 0,
      'gen_ai.request.stream': true,
      'gen_ai.response.model': 'gpt-4.1-mini',
      'gen_ai.response.id': 'scripted-1',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 120,
      'gen_ai.usage.output_tokens': 30,
      'gen_ai.usage.cache_read.input_tokens': 40,
      'gen_ai.usage.cache_write.input_tokens': 60,
      'gen_ai.usage.reasoning.output_tokens': 20,
      'agent_stack.step': 1,
      'agent_stack.attempts': 1,
    });
    // Since v0.1.0 the conventions have the tokens of caches at model calls alone.
    expect(Object.keys(agent!.attributes).filter((name) => name.includes('cache'))).toEqual([]);
    expect(chat?.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThanOrEqual(0);
    expect(resource).toMatchObject({ 'service.name': 'triage', team: 'platform one', 'telemetry.sdk.language': 'nodejs' });
    expect(resource['service.instance.id']).toMatch(/^[0-9a-f]{32}$/);
  });

  test('tell how a failed run failed, and what was tried before', async () => {
    const { origin, spans } = await collector();
    const { observer } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin });
    const error = new LlmError('rate-limit', 'Too many requests for sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD.');
    const model = scriptedModel({ chunks: [], retries: [{ attempt: 1, wait_ms: 500, reason: 'server' }], error });
    await run(observer, model);
    const [chat, agent] = spans;
    expect(chat).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'rate-limit' } });
    expect(chat?.events).toEqual([
      { name: 'agent_stack.retry', attributes: { 'agent_stack.attempt': 1, 'agent_stack.wait_ms': 500, 'error.type': 'server' } },
    ]);
    expect(agent).toMatchObject({
      status: { code: 2, message: expect.stringContaining('Too many requests for ***') },
      attributes: { 'error.type': 'llm', 'agent_stack.error.reason': 'rate-limit', 'agent_stack.status': 'failed' },
    });
    expect(JSON.stringify(spans, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain('sk-proj-abc');
  });

  test('end with a run that is cancelled, which is not an error', async () => {
    const { origin, spans, metrics } = await collector();
    const { observer } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin });
    const stop = new AbortController();
    const finished = run(observer, scriptedModel({ chunks: ['{'], hangs: true }), { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    expect((await finished).status).toBe('cancelled');
    expect(
      spans.map(({ name, status, attributes }) => [name, status.code, attributes['agent_stack.status'], attributes['error.type']]),
    ).toEqual([
      ['chat gpt-4.1-mini', 0, undefined, 'cancelled'],
      ['invoke_agent Labels', 0, 'cancelled', undefined],
    ]);
    expect(metrics.get('agent_stack.runs')).toMatchObject([{ attributes: { 'agent_stack.status': 'cancelled' }, value: 1 }]);
  });

  test('end when the reader of the events leaves', async () => {
    const { origin, spans } = await collector();
    const { observer } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin });
    const { factory, ports } = sampleProject();
    const agent = await factory.load('Labels', 'v1');
    for await (const event of observeRun(observer, { agent, payload: { title: 'x' }, llm: scriptedModel(answer), ports })) {
      if (event.type === 'chunk') break;
    }
    await observer.flush?.();
    expect(spans.map(({ name, attributes }) => [name, attributes['agent_stack.status']])).toEqual([
      ['chat gpt-4.1-mini', undefined],
      ['invoke_agent Labels', 'cancelled'],
    ]);
  });

  test('hold message texts only when the environment asks for them, and never a secret', async () => {
    const { origin, spans, requests } = await collector();
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD';
    const model = () => scriptedModel({ ...answer, chunks: [`{"label": "bug", "reason": "${key}"}`] });
    await run(telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin }).observer, model(), { agent: { purpose_text: 'Labels only.' } });
    expect(requests.map(({ text }) => text).join('')).not.toMatch(/It crashes|Labels only|You label issues/);

    spans.length = 0;
    const asked = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin, OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' });
    await run(asked.observer, model());
    const { attributes } = spans[0]!;
    const input = JSON.parse(attributes['gen_ai.input.messages'] as string);
    expect(input).toMatchObject([
      { role: 'system', parts: [{ type: 'text', content: expect.stringContaining('You label issues.') }] },
      { role: 'user', parts: [{ type: 'text', content: expect.stringContaining('title = "It crashes"') }] },
    ]);
    const output = JSON.parse(attributes['gen_ai.output.messages'] as string);
    expect(output).toMatchObject([
      { role: 'assistant', finish_reason: 'stop', parts: [{ type: 'text', content: expect.stringContaining('***') }] },
    ]);
    expect(requests.map(({ text }) => text).join('')).not.toContain(key);
  });
});

describe('the spans of a loop', () => {
  test('are those of its model calls and tool calls, in order below the run, step by step', async () => {
    const { origin, spans, metrics } = await collector();
    const { observer } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin });
    const model = scriptedModel(
      {
        chunks: ['I look.'],
        calls: [
          { name: 'search', input: { q: 'a' } },
          { name: 'fetch', input: { q: 'b' } },
        ],
      },
      { chunks: [], calls: [{ name: 'flaky', input: { q: 'c' } }, { name: 'nonsense' }] },
      answer,
    );
    let tries = 0;
    const { openTools } = scriptedTools(
      { name: 'search' },
      {
        name: 'fetch',
        origin: { type: 'mcp', client_id: 'web', name: 'fetch' },
        call: () => ({ content: 'gone', is_error: true }),
        idempotent: false,
      },
      {
        name: 'flaky',
        call: () => {
          if (++tries === 1) throw new TypeError('not yet');
          return 'fine';
        },
      },
    );
    const result = await run(observer, model, { agent: { agent_type: 'react', mode: null }, openTools });
    expect(result.success).toBe(true);
    const root = spans.find(({ name }) => name === 'invoke_agent Labels');
    const below = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId).sort((left, right) => Number(left.start - right.start));
    const line = ({ name, attributes }: SeenSpan) => [
      name,
      attributes['agent_stack.step'],
      attributes['error.type'],
      attributes['agent_stack.attempts'],
    ];
    expect(below.map(line)).toEqual([
      ['chat gpt-4.1-mini', 1, undefined, 1],
      ['execute_tool search', 1, undefined, undefined],
      ['execute_tool fetch', 1, 'tool-error', undefined],
      ['chat gpt-4.1-mini', 2, undefined, 1],
      ['execute_tool flaky', 2, undefined, 2],
      ['execute_tool nonsense', 2, 'not-called', undefined],
      ['chat gpt-4.1-mini', 3, undefined, 1],
    ]);
    expect(spans).toHaveLength(below.length + 1);
    expect(below[0]?.attributes['gen_ai.response.finish_reasons']).toEqual(['tool_call']);
    expect(below[2]?.attributes).toMatchObject({
      'gen_ai.tool.call.id': 'use_1_2',
      'agent_stack.tool.origin': 'mcp',
      'agent_stack.tool.client_id': 'web',
    });
    expect(root?.attributes).toMatchObject({ 'agent_stack.iterations': 3, 'agent_stack.tools_used': result.metadata.tools_used });
    const used = metrics
      .get('agent_stack.tool.calls')
      ?.map(({ attributes, value }) => [attributes['gen_ai.tool.name'], attributes['error.type'], value]);
    expect(used).toEqual([
      ['search', undefined, 1],
      ['fetch', 'tool-error', 1],
      ['flaky', undefined, 1],
      ['_OTHER', 'not-called', 1],
    ]);
  });
});

describe('which runs have spans', () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

  test('a run goes under the span of its caller', async () => {
    const { origin, spans } = await collector();
    const { observer } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin });
    const context = readTraceparent(traceparent)!;
    const result = await run(observer, scriptedModel(answer), { context, agent: { tracing: { sample_rate: 0 } } });
    expect(result.metadata.trace_id).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
    expect(spans.at(-1)).toMatchObject({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentSpanId: '00f067aa0ba902b7' });
  });

  test.each<[string, RunOptions]>([
    ['whose agent turns tracing off', { agent: { tracing: { enabled: false } } }],
    ['of an agent with sample_rate 0', { agent: { tracing: { sample_rate: 0 } } }],
    ['whose caller does not record its trace', { context: readTraceparent(`${traceparent.slice(0, -1)}0`)! }],
  ])('a run %s has none, and is counted all the same', async (_, options) => {
    const { origin, spans, metrics } = await collector();
    const { observer } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin });
    expect((await run(observer, scriptedModel(answer), options)).success).toBe(true);
    expect(spans).toEqual([]);
    expect(metrics.get('agent_stack.runs')).toMatchObject([{ value: 1 }]);
  });

  test('the id of its trace decides whether a run is sampled', async () => {
    const { origin, spans } = await collector();
    const { observer } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin });
    for (const trace_id of ['000000000000000000ffffffffffffff', 'ffffffffffffffffff00000000000001']) {
      await run(observer, scriptedModel(answer), { context: { trace_id }, agent: { tracing: { sample_rate: 0.5 } } });
    }
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['000000000000000000ffffffffffffff']));
  });
});

test('runs are measured', async () => {
  const { origin, metrics } = await collector();
  const { observer } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin });
  const { metadata } = await run(observer, scriptedModel(answer));
  await run(observer, scriptedModel({ chunks: ['no JSON'] }));
  const own = { 'gen_ai.agent.name': 'Labels', 'gen_ai.agent.version': 'v1' };
  const model = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-4.1-mini' };
  expect(metrics.get('agent_stack.runs')).toEqual([
    { attributes: { ...own, 'agent_stack.status': 'completed' }, value: 1, count: 1 },
    { attributes: { ...own, 'agent_stack.status': 'failed', 'error.type': 'output-invalid' }, value: 1, count: 1 },
  ]);
  expect(metrics.get('gen_ai.client.operation.duration')).toMatchObject([
    { attributes: { ...model, 'gen_ai.response.model': 'gpt-4.1-mini' }, count: 2 },
  ]);
  const used = (kind: string) => metrics.get(`gen_ai.client.inference.usage.${kind}`)?.map(({ value }) => value);
  expect(
    ['input_tokens', 'output_tokens', 'cache_read.input_tokens', 'cache_write.input_tokens', 'reasoning.output_tokens'].map(used),
  ).toEqual([[130], [35], [40], [60], [20]]);
  expect(metrics.get('gen_ai.client.inference.usage.input_tokens')?.[0]?.attributes).toMatchObject({
    ...model,
    'gen_ai.token.modality': 'unknown',
  });
  expect(metrics.get('gen_ai.client.inference.operation.input_tokens')).toMatchObject([{ attributes: model, value: 130, count: 2 }]);
  expect(metrics.get('gen_ai.client.inference.operation.output_tokens')).toMatchObject([{ attributes: model, value: 35, count: 2 }]);
  expect([...metrics.keys()]).not.toContain('gen_ai.client.token.usage');
  expect(metrics.get('gen_ai.client.operation.time_to_first_chunk')).toMatchObject([{ attributes: model, count: 2 }]);
  expect(metrics.get('gen_ai.invoke_agent.duration')?.map(({ count }) => count)).toEqual([1, 1]);
  expect(metrics.get('agent_stack.run.iterations')).toMatchObject([{ value: 1 }, { value: 1 }]);
  const [cost] = metrics.get('agent_stack.run.cost') ?? [];
  expect(cost?.count).toBe(2);
  expect(cost?.value).toBeGreaterThan(metadata.estimated_cost_usd!);
});

test('a run that was refused before it began is counted', async () => {
  const { origin, metrics } = await collector();
  const { observer } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin });
  const result = await refuse(observer);
  expect(result.error?.code).toBe('unknown-agent-config');
  await observer.flush?.();
  expect(metrics.get('agent_stack.runs')).toMatchObject([
    { attributes: { 'gen_ai.agent.name': 'Labels', 'agent_stack.status': 'failed', 'error.type': 'unknown-agent-config' }, value: 1 },
  ]);
});

test('a watcher that fails over a refused run changes nothing of it', async () => {
  const refused = () => Promise.reject(new Error('broken'));
  expect((await refuse({ begin: () => undefined, refused })).error?.code).toBe('unknown-agent-config');
});

/** A run of a version that is not there. */
async function refuse(observer: RunObserver): Promise<RunResult> {
  const { files, ports, environment } = sampleProject();
  const project = openProject('.', { ports: { ...ports, files, environment }, observer });
  return project.invoke({ agent_name: 'Labels', version: 'v9', payload: {} });
}

describe('sending', () => {
  test('goes where each signal is sent, with its headers, compressed when asked', async () => {
    const { origin, requests } = await collector();
    const { observer } = telemetry({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${origin}/in/traces`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${origin}/otlp/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20one,x-team=a',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=b',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    });
    await run(observer, scriptedModel(answer));
    for (const { text } of requests) expect(text).toContain('"schemaUrl":"https://opentelemetry.io/schemas/gen-ai/0.1.0"');
    const byUrl = Object.fromEntries(requests.map(({ url, headers }) => [url, headers]));
    expect(byUrl['/in/traces']).toMatchObject({
      authorization: 'Bearer one',
      'x-team': 'b',
      'content-encoding': 'gzip',
      'content-type': 'application/json',
    });
    expect(byUrl['/otlp/v1/metrics']).toMatchObject({ authorization: 'Bearer one', 'x-team': 'a' });
  });

  test('of one signal alone leaves the other at home', async () => {
    const { origin, requests } = await collector();
    const { observer } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin, OTEL_METRICS_EXPORTER: 'none' });
    await run(observer, scriptedModel(answer));
    expect(new Set(requests.map(({ url }) => url))).toEqual(new Set(['/v1/traces']));
  });

  test('is tried again when the collector is busy', async () => {
    const { origin, requests, spans } = await collector(503);
    const { observer, lines } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin, OTEL_METRICS_EXPORTER: 'none' });
    await run(observer, scriptedModel(answer));
    expect(requests).toHaveLength(2);
    expect(spans).toHaveLength(2);
    expect(lines).toEqual([]);
  });

  test.each<[string, Answer[], string]>([
    ['answers 500', [500, 500, 500], 'the collector answered 500'],
    ['answers never', ['hang', 'hang', 'hang'], 'the collector took longer than 150 ms'],
  ])('to a collector that %s hurts no run, ends in time and is logged once', async (_, answers, reason) => {
    const { origin } = await collector(...answers);
    const { observer, lines } = telemetry({
      OTEL_EXPORTER_OTLP_ENDPOINT: origin,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_EXPORTER_OTLP_TIMEOUT: '150',
    });
    const started = performance.now();
    const results = [await run(observer, scriptedModel(answer)), await run(observer, scriptedModel(answer))];
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(results.map(({ success }) => success)).toEqual([true, true]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'warn',
      message: 'traces could not be exported',
      fields: { collector: `${origin}/v1/traces` },
    });
    expect([reason, 'the collector is no longer waited for']).toContain(lines[0]?.fields?.reason);
  });

  test('to a collector that never answers does not delay the answer of a run', async () => {
    const { origin, requests } = await collector('hang', 'hang', 'hang', 'hang');
    const { observer, lines } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin, OTEL_METRIC_EXPORT_INTERVAL: '20' });
    const { flush, ...watching } = observer;
    await run(watching, scriptedModel(answer));
    // Metrics are sent meanwhile, and their request hangs.
    await expect.poll(() => requests.length).toBeGreaterThan(0);
    const started = performance.now();
    expect((await run(watching, scriptedModel(answer))).success).toBe(true);
    expect(performance.now() - started).toBeLessThan(2000);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    await flush?.();
  });

  test('to a collector that is not there gives up when the run has ended', async () => {
    const gone = await startLoopbackCollector();
    await gone.close();
    const { observer, lines } = telemetry({
      OTEL_EXPORTER_OTLP_ENDPOINT: gone.origin,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
    });
    const started = performance.now();
    expect((await run(observer, scriptedModel(answer))).success).toBe(true);
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(new Set(lines.map(({ fields }) => fields?.reason))).toEqual(new Set(['the collector cannot be reached']));
    expect(lines.map(({ message }) => message).sort()).toEqual(['metrics could not be exported', 'traces could not be exported']);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});

test('watching changes no event and no result', async () => {
  const { origin } = await collector();
  const { observer } = telemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: origin });
  const events = async (watched: boolean) => {
    const { factory, ports } = sampleProject();
    const request = { agent: await factory.load('Labels', 'v1'), payload: { title: 'x' }, llm: scriptedModel(answer), ports };
    const seen: AgentEvent[] = [];
    for await (const event of watched ? observeRun(observer, request) : runAgent(request)) seen.push(event);
    return seen;
  };
  expect(await events(true)).toEqual(await events(false));
});

test('an observer that fails is logged, and the run goes on', async () => {
  const { factory, ports } = sampleProject();
  const request = { agent: await factory.load('Labels', 'v1'), payload: { title: 'x' }, ports };
  const broken = (): never => {
    throw new Error('broken');
  };
  for (const observer of [
    { begin: broken },
    { begin: () => ({ event: broken, abandoned: broken, modelCall: broken, toolCall: broken }) },
  ]) {
    let last: AgentEvent | undefined;
    for await (const event of observeRun(observer, { ...request, llm: scriptedModel(answer) })) last = event;
    expect(last).toMatchObject({ type: 'final', result: { success: true } });
  }
  expect(ports.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
});
