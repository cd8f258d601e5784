import { type Attributes, context, trace } from '@opentelemetry/api';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import type { RunWatch } from '../../core/agent/observeRun.js';
import { DeniedError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { observeWithTracer } from '../../core/node/observeWithTracer.js';
import type { Tool } from '../../core/tools/types.js';
import { sampleProject } from '../agent/sampleProject.js';
import { standingClock, testPorts } from '../support/testPorts.js';

interface Count {
  readonly name: string;
  readonly value: number;
  readonly attributes: Attributes;
}

/** A run as the loop tells of it, watched with a program's own OpenTelemetry. */
async function watched(options: { readonly captureContent?: boolean } = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const counts: Count[] = [];
  const instrument = (name: string) => {
    const take = (value: number, attributes: Attributes) => void counts.push({ name, value, attributes });
    return { add: take, record: take };
  };
  const clock = standingClock();
  const observer = observeWithTracer({
    tracer: provider.getTracer('test'),
    meter: { createCounter: instrument, createHistogram: instrument },
    clock,
    ...options,
  });
  const { factory } = sampleProject();
  const agent = await factory.load('Labels', 'v1');
  const watch = (await observer.begin({ agent, payload: { title: 'x' }, context: {}, delivery: 'stream' })) as RunWatch;
  let seq = 0;
  const tell = (body: object) => watch.event({ run_id: '1'.padStart(32, '0'), seq: seq++, time: '', final: false, ...body } as AgentEvent);
  tell({ type: 'run_start', snapshot_hash: null, snapshot_path: null });
  tell({ type: 'step_start', step: 1 });
  return {
    watch,
    tell,
    clock,
    counts,
    spans: () => exporter.getFinishedSpans(),
    tools: () => exporter.getFinishedSpans().filter(isTool).map(described),
  };
}

const isTool = ({ name }: ReadableSpan) => name.startsWith('execute_tool');
const described = ({ name, status, attributes }: ReadableSpan) => ({
  name,
  status: status.code,
  error: attributes['error.type'],
  attributes,
});

const tool = (name: string, origin: Tool['origin'] = { type: 'built-in' }): Tool => ({
  name,
  description: `What ${name} does`,
  parameters: { type: 'object' },
  idempotent: true,
  side_effects: false,
  origin,
  needs_approval: false,
  call: async () => ({ content: '' }),
});

const toolContext = (call_id?: string) => ({
  run_id: '1',
  step: 1,
  run: { correlation_id: '', trace_id: '', timestamp: '' },
  signal: new AbortController().signal,
  logger: testPorts().logger,
  ...(call_id !== undefined && { call_id }),
});

const call = (id: string, name: string, input: JsonObject = {}) => ({ id, name, input });
const result = (id: string, name: string, is_error = false) => ({ id, name, output: `result of ${id}`, is_error });

describe('the span of a tool call', () => {
  test('is as long as the tool took, below the run, and says where the tool is from', async () => {
    const { watch, tell, clock, spans, counts } = await watched();
    tell({ type: 'tool_call', tool_calls: [call('c1', 'find'), call('c2', 'read')] });
    await clock.pass(10);
    const find = watch.toolCall(tool('find'), {}, toolContext('c1'));
    await clock.pass(20);
    const read = watch.toolCall(tool('read', { type: 'mcp', client_id: 'files', name: 'read' }), {}, toolContext('c2'));
    find.end({ content: 'found' });
    await clock.pass(30);
    read.end({ content: 'text' });
    await clock.pass(40);
    tell({ type: 'tool_result', tool_results: [result('c1', 'find'), result('c2', 'read')] });
    watch.abandoned();

    const [first, second, run] = spans();
    const milliseconds = ({ startTime, endTime }: ReadableSpan) =>
      Math.round((endTime[0] - startTime[0]) * 1e3 + (endTime[1] - startTime[1]) / 1e6);
    expect([first!, second!, run!].map((span) => [span.name, milliseconds(span)])).toEqual([
      ['execute_tool find', 20],
      ['execute_tool read', 30],
      ['invoke_agent Labels', 100],
    ]);
    expect(first?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId);
    expect(second?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.agent.name': 'Labels',
      'gen_ai.agent.version': 'v1',
      'gen_ai.tool.name': 'read',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'c2',
      'gen_ai.tool.description': 'What read does',
      'agent_stack.tool.origin': 'mcp',
      'agent_stack.tool.client_id': 'files',
      'agent_stack.step': 1,
    });
    expect(counts.filter(({ name }) => name === 'gen_ai.execute_tool.duration').map(({ value }) => value)).toEqual([0.02, 0.03]);
  });

  test('is one for all tries, and fails as the last of them', async () => {
    const { watch, tell, tools } = await watched();
    tell({ type: 'tool_call', tool_calls: [call('c1', 'find')] });
    watch.toolCall(tool('find'), {}, toolContext('c1')).fail(new TypeError('x'));
    watch.toolCall(tool('find'), {}, toolContext('c1')).end({ content: 'no', is_error: true });
    tell({ type: 'tool_result', tool_results: [result('c1', 'find', true)] });
    expect(tools()).toMatchObject([{ status: 2, error: 'tool-error', attributes: { 'agent_stack.attempts': 2 } }]);
  });

  test('tells calls apart without their ids: by their input, and one after the other', async () => {
    const { watch, tell, tools } = await watched();
    tell({ type: 'tool_call', tool_calls: [call('c1', 'find', { a: 1 }), call('c2', 'find', { a: 2 }), call('c3', 'find', { a: 2 })] });
    for (const [a, error] of [
      [2, new DeniedError('no')],
      [1, undefined],
      [2, undefined],
    ] as const) {
      const one = watch.toolCall(tool('find'), { a }, toolContext());
      if (error) one.fail(error);
      else one.end({ content: 'ok' });
    }
    tell({ type: 'tool_result', tool_results: [result('c1', 'find'), result('c2', 'find', true), result('c3', 'find')] });
    expect(tools().map(({ attributes, error }) => [attributes['gen_ai.tool.call.id'], error])).toEqual([
      ['c1', undefined],
      ['c2', 'denied'],
      ['c3', undefined],
    ]);
  });

  test('of a call that reached no tool says so, and a name that the model made up is not a name of a metric', async () => {
    const { tell, tools, counts } = await watched();
    tell({ type: 'tool_call', tool_calls: [call('c1', 'made_up_name'), call('c2', 'find')] });
    tell({ type: 'tool_result', tool_results: [result('c1', 'made_up_name', true), result('c2', 'find')] });
    expect(tools()).toMatchObject([
      { name: 'execute_tool made_up_name', error: 'not-called' },
      { name: 'execute_tool find', error: undefined, attributes: { 'agent_stack.tool.reused': true } },
    ]);
    expect(counts.filter(({ name }) => name === 'agent_stack.tool.calls').map(({ attributes }) => attributes['gen_ai.tool.name'])).toEqual([
      '_OTHER',
      'find',
    ]);
  });

  test('ends with the run', async () => {
    const { watch, tell, tools } = await watched();
    tell({ type: 'tool_call', tool_calls: [call('c1', 'find')] });
    watch.toolCall(tool('find'), {}, toolContext('c1'));
    watch.abandoned();
    expect(tools()).toMatchObject([{ status: 0, error: 'cancelled' }]);
  });

  test('holds input and result only when asked', async () => {
    for (const captureContent of [false, true]) {
      const { watch, tell, tools } = await watched({ captureContent });
      tell({ type: 'tool_call', tool_calls: [call('c1', 'find', { of: 'labels' })] });
      watch.toolCall(tool('find'), {}, toolContext('c1')).end({ content: 'ok' });
      tell({ type: 'tool_result', tool_results: [result('c1', 'find')] });
      const [{ attributes } = { attributes: {} as Attributes }] = tools();
      expect(attributes['gen_ai.tool.call.result']).toBe(captureContent ? 'result of c1' : undefined);
      const args = attributes['gen_ai.tool.call.arguments'];
      expect(args).toBe(captureContent ? '{"of":"labels"}' : undefined);
    }
  });
});

test('a run goes under the span that is active in the program', async () => {
  const { AsyncLocalStorageContextManager } = await loadContextManager();
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  try {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const tracer = provider.getTracer('program');
    const outer = tracer.startSpan('request');
    const { factory } = sampleProject();
    const agent = await factory.load('Labels', 'v1');
    await context.with(trace.setSpan(context.active(), outer), async () => {
      const watch = await observeWithTracer({ tracer }).begin({ agent, payload: {}, context: {}, delivery: 'stream' });
      watch?.event({ type: 'run_start', run_id: '1', seq: 0, time: '', final: false, snapshot_hash: null, snapshot_path: null });
      watch?.abandoned();
    });
    const [run] = exporter.getFinishedSpans();
    expect(run?.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
  } finally {
    context.disable();
  }
});

/** As `@opentelemetry/context-async-hooks` makes it, in the few lines a test needs. */
async function loadContextManager() {
  const { AsyncLocalStorage } = await import('node:async_hooks');
  class AsyncLocalStorageContextManager {
    readonly #storage = new AsyncLocalStorage<ReturnType<typeof context.active>>();
    readonly #root = context.active();
    active() {
      return this.#storage.getStore() ?? this.#root;
    }
    with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
      active: ReturnType<typeof context.active>,
      act: F,
      thisArg?: ThisParameterType<F>,
      ...args: A
    ): ReturnType<F> {
      return this.#storage.run(active, () => act.apply(thisArg, args));
    }
    bind<T>(_: ReturnType<typeof context.active>, target: T): T {
      return target;
    }
    enable() {
      return this;
    }
    disable() {
      return this;
    }
  }
  return { AsyncLocalStorageContextManager };
}
