import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../core/agent/events.js';
import { LlmError } from '../../../core/errors.js';
import { checkRun, collectRun } from '../collectRun.js';
import { asks, good, prepareReact, type ReactCase, reactRun, says } from './reactRun.js';

const story: ReactCase = {
  answers: [
    {
      thoughts: ['Hm.'],
      chunks: ['One ', 'moment.'],
      calls: [
        { name: 'a', input: { q: '1' } },
        { name: 'b', input: { q: '2' } },
      ],
    },
    says('{"label": "wish"}'),
    says(good),
  ],
  tools: [{ name: 'a' }, { name: 'b' }],
};

describe('a run that is ended by its caller', () => {
  test('at any event is cancelled, keeps what it had, and leaves nothing running', async () => {
    const { events: all } = await reactRun(story);
    for (let index = 0; index < all.length - 1; index += 1) {
      const controller = new AbortController();
      const { run, ports, seen } = await prepareReact({ ...story, options: { signal: controller.signal } });
      const events: AgentEvent[] = [];
      for await (const event of run) {
        events.push(event);
        if (event.seq === index) controller.abort();
      }
      const result = checkRun(events);
      // Its answer was complete by then, so it is not thrown away.
      const isAnswered = all[index]?.type === 'step_end' && index === all.length - 2;
      expect([index, result.status]).toEqual([index, isAnswered ? 'completed' : 'cancelled']);
      expect(seen.closed).toBe(seen.opened);
      expect(ports.clock.sleeping).toBe(0);
      const told = all.slice(0, index + 1).filter(({ type }) => type === 'step_end').length;
      expect(result.reasoning.steps.length).toBeGreaterThanOrEqual(told);
    }
  });

  test('at any event by leaving closes its tools, and its store gets the cancelled result', async () => {
    const { events: all } = await reactRun(story);
    for (let index = 0; index < all.length - 1; index += 1) {
      const kept: AgentEvent[] = [];
      const store = {
        begin: async () => ({ snapshot_path: 'x' }),
        event: (event: AgentEvent) => void kept.push(event),
        end: () => undefined,
      };
      const { run, ports, seen } = await prepareReact({ ...story, options: { store } });
      for await (const event of run) if (event.seq === index) break;
      expect(seen.closed).toBe(seen.opened);
      expect(ports.clock.sleeping).toBe(0);
      expect(kept.at(-1)).toMatchObject({ type: 'final', result: { status: 'cancelled' } });
      checkRun(kept);
    }
  });

  test('while a tool hangs is over at once', async () => {
    const controller = new AbortController();
    const { run, seen } = await prepareReact({
      answers: [asks('slow')],
      tools: [{ name: 'slow', call: () => new Promise<never>(() => undefined) }],
      options: { signal: controller.signal },
    });
    const collected = collectRun(run);
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    const { result } = await collected;
    expect(result.status).toBe('cancelled');
    expect(result.reasoning.steps).toMatchObject([{ action: { tool: 'slow', output: null } }]);
    expect(seen.closed).toBe(1);
  });

  test('while a person is asked, or the session is read, is over at once', async () => {
    const never = () => new Promise<never>(() => undefined);
    const cases: ReactCase[] = [
      { answers: [asks('a')], tools: [{ name: 'a', needs_approval: true }], options: { approve: never } },
      {
        answers: [],
        agent: { include_history: true },
        options: { sessions: { load: never, append: never }, context: { session_id: 's' } },
      },
      { answers: [], options: { openTools: never } },
    ];
    for (const one of cases) {
      const controller = new AbortController();
      const { run } = await prepareReact({ ...one, options: { ...one.options, signal: controller.signal } });
      const collected = collectRun(run);
      await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      expect((await collected).result.status).toBe('cancelled');
    }
  });
});

describe('a model call that fails', () => {
  test('ends the run with all the steps before', async () => {
    const { result, seen } = await reactRun({
      answers: [asks('a'), { chunks: ['{"lab'], error: new LlmError('network', 'The connection broke.') }],
      tools: [{ name: 'a' }],
    });
    expect(result).toMatchObject({
      error: { code: 'llm', details: { reason: 'network' } },
      text: '{"lab',
      metadata: { tools_used: ['a'], iterations: 1 },
    });
    expect(result.reasoning.steps).toMatchObject([{ step: 1, observation: 'a of {"q":"x"}' }, { step: 2 }]);
    expect(result.reasoning.confidence).toBe(0);
    expect(seen.closed).toBe(1);
  });
});

describe('a budget', () => {
  // gpt-4.1-mini: 0.4 USD a million tokens sent, 1.6 received.
  test('does not allow a call that may cost more than what is left', async () => {
    const { result, model } = await reactRun({
      answers: [
        asks('a', { q: '1' }, { usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100, cached_tokens: 0 } }),
        says(good),
      ],
      tools: [{ name: 'a' }],
      agent: { budget: { max_cost: 0.0007 }, max_output_tokens: 100 },
    });
    expect(result.error).toMatchObject({ code: 'budget-exceeded' });
    expect(result.error?.message).toMatch(/0\.00056 USD spent, at least 0\.\d+ USD for the next call \([\d,]+ tokens sent, 100 received\)/);
    expect(model.requests).toHaveLength(1);
    expect(result.reasoning.steps).toHaveLength(1);
    expect(result.metadata.estimated_cost_usd).toBeCloseTo(0.00056);
  });

  test('counts cached tokens at their own price', async () => {
    const { result } = await reactRun({
      answers: [says(good, { usage: { prompt_tokens: 1000, completion_tokens: 0, total_tokens: 1000, cached_tokens: 1000 } })],
      agent: { max_output_tokens: 100 },
    });
    expect(result.metadata.estimated_cost_usd).toBeCloseTo(0.0001);
  });

  test('of the caller counts as well', async () => {
    const { result, model } = await reactRun({ answers: [], options: { context: { budget: { max_cost: 0.000001 } } } });
    expect(result.error?.code).toBe('budget-exceeded');
    expect(model.requests).toEqual([]);
  });
});

describe('a conversation that outgrows the context window', () => {
  // The provider does not count the tokens, so they are estimated.
  const uncounted = { usage: undefined };
  const small = { 'agentstack.json': JSON.stringify({ models: { tiny: { context_window: 4000, max_output_tokens: 1000 } } }) };

  test('loses its oldest results first, then its oldest turns, and says so', async () => {
    const long = 'y'.repeat(6000);
    const { result, model, ports } = await reactRun({
      answers: [...Array.from({ length: 8 }, (_, index) => asks('a', { q: `${index}` }, uncounted)), says(good)],
      tools: [{ name: 'a', call: ({ q }) => `${q} ${long}` }],
      agent: { model_name: 'tiny', max_output_tokens: 1000 },
      files: small,
    });
    expect(result.success).toBe(true);
    const last = model.requests.at(-1)!.messages;
    expect(last.slice(0, 2).map(({ role }) => role)).toEqual(['system', 'user']);
    expect(JSON.stringify(last.at(-1))).toContain('7 yyy');
    expect(result.metadata.context_dropped?.tool_results).toBeGreaterThan(3);
    expect(JSON.stringify(last)).toContain('was left out to make room');
    expect(ports.lines.some(({ message }) => message.includes('left out to fit'))).toBe(true);
    // The result of the run still has it all.
    expect(JSON.stringify(result.conversation)).toContain('0 yyy');
    for (const { messages } of model.requests) {
      const text = JSON.stringify(messages);
      expect(text.split('"tool_result"').length).toBe(text.split('"tool_use"').length);
    }
  });

  test('by more than we thought is tried once more with half of it', async () => {
    const tooLong = () => ({ chunks: [], error: new LlmError('context-length', 'Too many tokens.') });
    const { result, model } = await reactRun({
      answers: [asks('a', { q: '1' }, uncounted), asks('a', { q: '2' }, uncounted), tooLong(), says(good)],
      tools: [{ name: 'a', call: ({ q }) => 'z'.repeat(q === '1' ? 9000 : 300) }],
    });
    expect(result).toMatchObject({ success: true, metadata: { iterations: 3, context_dropped: { tool_results: 1 } } });
    expect(JSON.stringify(model.requests[3]?.messages)).toContain('left out to make room');
    const twice = await reactRun({
      answers: [asks('a', { q: '1' }), asks('a', { q: '2' }), tooLong(), tooLong()],
      tools: [{ name: 'a', call: ({ q }) => 'z'.repeat(q === '1' ? 9000 : 300) }],
    });
    expect(twice.result.error).toMatchObject({ code: 'llm', details: { reason: 'context-length' } });
    const nothing = await reactRun({ answers: [tooLong()] });
    expect(nothing.result.error).toMatchObject({ details: { reason: 'context-length' } });
  });
});
