import { describe, expect, test } from 'vitest';
import { catchRequest } from '../../../core/agent/catchRequest.js';
import type { AgentEvent } from '../../../core/agent/events.js';
import { observeRun } from '../../../core/agent/observeRun.js';
import { DeniedError, LlmError } from '../../../core/errors.js';
import type { JsonObject } from '../../../core/json.js';
import { collectRun, typesOf } from '../collectRun.js';
import { good, type PlanCase, planRun, preparePlan, says } from './planRun.js';

const observed = (events: readonly AgentEvent[]) => events.flatMap((event) => (event.type === 'step_end' ? [event.observation] : []));

/** Runs a plan of which steps wait before they are tried again. */
async function patientRun(given: PlanCase) {
  const { run, ports, ...rest } = await preparePlan({ ...given, agent: { timeout_ms: 3_600_000, ...given.agent } });
  let isOver = false;
  const collected = collectRun(run).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    await ports.clock.pass(1000);
  }
  return { ...rest, ...(await collected) };
}

describe('a plan', () => {
  test('calls a skill, an agent and the model in order, and each sees what came before', async () => {
    const { events, result, model, others, seen } = await planRun({
      plan: {
        steps: [
          { name: 'search', skill: 'find', input: { q: '{{input.title}}' } },
          { name: 'labels', agent: 'Labels@v1', input: { title: '{{steps.search.output}}' } },
          { name: 'reply', llm: 'Answer the {{steps.labels.output.label}} {{input.title}}.' },
        ],
        output: { label: '{{steps.labels.output.label}}', text: '{{steps.reply.output}}' },
      },
      tools: [{ name: 'find', call: () => ({ content: 'found', documents: [{ id: 'd1' }], hints: { source_quality: 'high' } }) }],
      models: { Labels: [says(good)] },
      answers: [says('Thank you.')],
    });
    expect(result.error).toBe(null);
    expect(result.output).toEqual({ label: 'bug', text: 'Thank you.' });
    expect(seen.calls).toEqual([{ name: 'find', input: { q: 'It crashes' } }]);
    expect(others.get('Labels')!.requests[0]!.messages[1]!.content).toContain('title = "found"');
    expect(model.requests[0]!.messages).toEqual([
      { role: 'system', content: 'You help.\n\nAgent: Plan, version v1' },
      { role: 'user', content: 'Answer the bug It crashes.' },
    ]);
    expect(model.requests[0]).not.toHaveProperty('response_format');
    expect(typesOf(events)).toBe(
      'run_start step_start tool_call tool_result step_end step_start chunk chunk step_end step_start chunk chunk step_end final',
    );
    const named = events.flatMap((event) =>
      event.type === 'step_start' || event.type === 'step_end' ? [`${event.type} ${event.step} ${event.plan_step}`] : [],
    );
    expect(named).toEqual(
      ['search', 'labels', 'reply'].flatMap((name, index) => [`step_start ${index + 1} ${name}`, `step_end ${index + 1} ${name}`]),
    );
    expect(result.reasoning.steps.map(({ thought, action, observation }) => [thought, action?.tool, observation])).toEqual([
      ['Step "search": call the skill find.', 'find', 'found'],
      ['Step "labels": run the agent Labels@v1.', 'Labels@v1', '{"label":"bug","reason":"it crashes"}'],
      ['Step "reply": ask the model.', 'llm', 'Thank you.'],
    ]);
    expect(result).toMatchObject({
      text: 'Thank you.',
      source_documents: [{ id: 'd1' }],
      reasoning: { source_quality: 'high', confidence: 1 },
      metadata: { iterations: 2, tools_used: ['find'], token_usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 } },
    });
    expect(result.conversation.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'system', 'user', 'assistant']);
    expect(result.metadata.estimated_cost_usd).toBeGreaterThan(0);
    expect(result.reasoning.decision).toBe('Called find (1 call), Labels@v1 (1 call) and llm (1 call); came to the end of its plan.');
    expect(seen.opened).toBe(seen.closed);
  });

  test('without steps that give it input, hands its own on', async () => {
    const { result, others } = await planRun({
      plan: { steps: [{ name: 'labels', agent: 'Labels@v1' }] },
      models: { Labels: [says(good)] },
    });
    expect(others.get('Labels')!.requests[0]!.messages[1]!.content).toContain('title = "It crashes"');
    expect(result.output).toEqual(JSON.parse(good));
  });

  test('opens no tools where no step calls a skill', async () => {
    const { seen } = await planRun({ plan: { steps: [{ name: 'a', llm: 'Hi' }] }, answers: [says('Hi.')], tools: [{ name: 't' }] });
    expect(seen.opened).toBe(0);
  });

  test('takes the text of an agent without an output schema', async () => {
    const { result } = await planRun({
      plan: { steps: [{ name: 'a', agent: 'Talk@v1' }] },
      agents: { Talk: { agent_type: 'react', model_name: 'gpt-4.1-mini' } },
      models: { Talk: [says('Fine.')] },
    });
    expect(result.output).toBe('Fine.');
  });
});

describe('a condition', () => {
  const plan = (when: JsonObject, more: JsonObject = {}): JsonObject => ({
    steps: [
      { name: 'a', skill: 'a', input: { q: 'x' } },
      { name: 'b', skill: 'b', input: { q: 'y' }, when, ...more },
    ],
  });
  const tools = [{ name: 'a', call: () => ({ content: '', value: { n: 3, word: 'done' } }) }, { name: 'b' }];

  test('lets a step run', async () => {
    const { seen } = await planRun({ plan: plan({ step: 'a', output_field: 'word', operator: 'matches', value: '^d' }), tools });
    expect(seen.calls.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('that does not hold skips it, and says what was missing', async () => {
    const { events, result, seen } = await planRun({
      plan: plan({ step: 'a', output_field: 'm', operator: 'greater_than', value: 1 }),
      tools,
    });
    expect(seen.calls.map(({ name }) => name)).toEqual(['a']);
    expect(result.output).toEqual({ n: 3, word: 'done' });
    expect(observed(events).at(-1)).toBe('Skipped: its "when" does not hold. The output of "a" has no field "m".');
    expect(result.reasoning.decision).toBe('Called a (1 call); came to the end of its plan, 1 step skipped.');
  });

  test('sees the input of the plan as its context', async () => {
    const { seen } = await planRun({ plan: plan({ context_field: 'title', operator: 'contains', value: 'crash' }), tools });
    expect(seen.calls).toHaveLength(2);
  });

  test('does not keep others from asking for what was skipped, who are told', async () => {
    const skipping = plan({ not: { step: 'a', status: 'success' } });
    const { result } = await planRun({ plan: { ...skipping, output: ['{{steps.b.output.x}}'] }, tools });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'input-invalid' } });
    expect(result.error!.message).toBe(
      'Nothing provides {{steps.b.output.x}}: the step "b" was skipped. Give what uses it a "when": {"step": "b", "status": "success"}, or leave the path out.',
    );
    const whole = await planRun({ plan: { ...skipping, output: { a: '{{steps.a.output.n}}', b: '{{steps.b.output}}' } }, tools });
    expect(whole.result.output).toEqual({ a: 3, b: null });
    const inText = await planRun({ plan: { ...skipping, output: 'b: {{steps.b.output}}' }, tools });
    expect(inText.result.error?.code).toBe('input-invalid');
  });
});

describe('a repetition', () => {
  const poll = { name: 'poll', skill: 'poll', input: { q: 'x' } };
  const until = { step: 'poll', output_field: 'n', operator: 'greater_than', value: 2 };
  const counting = () => {
    let n = 0;
    return { name: 'poll', call: () => ({ content: '', value: { n: ++n } }) };
  };

  test('ends when its condition holds', async () => {
    const { events, result } = await planRun({ plan: { steps: [{ ...poll, repeat: { until, max: 9 } }] }, tools: [counting()] });
    expect(result.output).toEqual({ n: 3 });
    expect(observed(events)).toEqual([
      '{"n":1}\nIts "until" does not hold yet: it runs again.',
      '{"n":2}\nIts "until" does not hold yet: it runs again.',
      '{"n":3}\nIts "until" holds.',
    ]);
    expect(result.reasoning.steps[1]!.thought).toBe('Step "poll": call the skill poll (run 2 of at most 9).');
  });

  test('ends at its limit, and the plan goes on', async () => {
    const { events, result } = await planRun({ plan: { steps: [{ ...poll, repeat: { until, max: 2 } }] }, tools: [counting()] });
    expect(result).toMatchObject({ success: true, output: { n: 2 } });
    expect(observed(events).at(-1)).toContain('does not hold after 2 runs, the most it may have: the plan goes on.');
  });

  test('sees what the run before gave', async () => {
    const { seen } = await planRun({
      plan: {
        steps: [
          { name: 'poll', skill: 'poll', input: { q: '{{input.title}}' } },
          {
            name: 'again',
            skill: 'poll',
            input: { q: 'n {{steps.poll.output.n}}' },
            repeat: { until: { step: 'again', output_field: 'n', operator: 'equals', value: 3 }, max: 5 },
          },
        ],
      },
      tools: [counting()],
    });
    expect(seen.calls.map(({ input }) => input.q)).toEqual(['It crashes', 'n 1', 'n 1']);
  });
});

describe('a step that fails', () => {
  const fails = { name: 'a', call: () => ({ content: 'no such issue', is_error: true }) };
  const step = { name: 'first', skill: 'a', input: { q: 'x' } };

  test('ends the plan, with its name and what went wrong', async () => {
    const { result, events } = await planRun({ plan: { steps: [step, { name: 'b', llm: 'Hi' }] }, tools: [fails] });
    expect(result).toMatchObject({
      status: 'failed',
      error: {
        code: 'tool-execution',
        message: 'The step "first" of the plan failed: no such issue',
        details: { step: 'first', tool: 'a' },
      },
    });
    expect(observed(events)).toEqual(['Failed: no such issue']);
    expect(result.reasoning.decision).toBe('Called a (1 call, 1 failed); ended with tool-execution before the end of its plan.');
  });

  test('with "continue" lets the plan go on without its output', async () => {
    const { result, events } = await planRun({
      plan: {
        steps: [
          { ...step, on_error: 'continue' },
          { name: 'b', llm: 'Hi', when: { step: 'first', status: 'failure' } },
        ],
      },
      tools: [fails],
      answers: [says('Hello.')],
    });
    expect(result).toMatchObject({ success: true, output: 'Hello.' });
    expect(observed(events)[0]).toBe('Failed: no such issue\nThe plan goes on without its output.');
  });

  test('with "retry" is tried again, and waits in between', async () => {
    let count = 0;
    const { result, events } = await patientRun({
      plan: { steps: [{ ...step, on_error: 'retry', retries: 2 }] },
      tools: [{ name: 'a', call: () => (++count < 3 ? { content: `try ${count}`, is_error: true } : 'there') }],
    });
    expect(result).toMatchObject({ success: true, output: 'there' });
    expect(events.filter(({ type }) => type === 'retry')).toMatchObject([
      { attempt: 1, wait_ms: 500, reason: 'try 1' },
      { attempt: 2, wait_ms: 1000, reason: 'try 2' },
    ]);
  });

  test('with "retry" fails once its tries are used up', async () => {
    const { result, seen } = await patientRun({ plan: { steps: [{ ...step, on_error: 'retry' }] }, tools: [fails] });
    expect(seen.calls).toHaveLength(2);
    expect(result.error?.code).toBe('tool-execution');
  });

  test('is not tried again for what would fail again', async () => {
    const { result, seen } = await planRun({
      plan: { steps: [{ ...step, input: { q: '{{input.nothing}}' }, on_error: 'retry' }] },
      tools: [fails],
    });
    expect(seen.calls).toEqual([]);
    expect(result.error).toMatchObject({ code: 'input-invalid' });
    expect(result.error!.message).toContain('{{input.nothing}}');
  });

  test.each([
    ['an input that its skill does not take', { ...step, input: { q: 7 } }, 'tool-execution', 'does not fit a'],
    ['an input that is not an object', { ...step, input: '{{input.title}}' }, 'input-invalid', 'takes a JSON object'],
    [
      'an input that its agent does not take',
      { name: 'first', agent: 'Labels@v1', input: '{{input.title}}' },
      'input-invalid',
      'must be an object',
    ],
    ['an agent that fails', { name: 'first', agent: 'Labels@v1' }, 'output-invalid', 'first'],
    ['a model that answers nothing', { name: 'first', llm: 'Say nothing.' }, 'llm', 'is empty'],
    ['a model that cannot be had', { name: 'first', llm: 'Fail.' }, 'llm', 'Down.'],
    ['an answer that was cut off', { name: 'first', llm: 'Cut.' }, 'llm', 'max_output_tokens'],
  ])('%s', async (_name, failing, code, words) => {
    const answers = {
      'Say nothing.': { chunks: [] },
      'Fail.': { chunks: [], error: new LlmError('server', 'Down.') },
      'Cut.': { chunks: ['So'], finish_reason: 'length' as const },
    };
    const { result } = await planRun({
      plan: { steps: [failing] },
      tools: [{ name: 'a' }],
      models: { Labels: [says('{"label": "wish"}')] },
      answers: [answers[(failing as { llm?: keyof typeof answers }).llm ?? 'Fail.']],
    });
    expect(result).toMatchObject({ status: 'failed', error: { code, details: { step: 'first' } } });
    expect(result.error!.message).toContain(words);
  });

  test('ends the whole run regardless of on_error when there is no one to approve its call', async () => {
    const guarded = [{ name: 'a', needs_approval: true }];
    const plan = { steps: [{ ...step, on_error: 'continue' }] };
    const { result } = await planRun({ plan, tools: guarded });
    expect(result.error?.code).toBe('denied');
    const denied = await planRun({ plan, tools: guarded, options: { approve: async () => 'deny' } });
    expect(denied.result).toMatchObject({ success: true, output: null });
    const ended = await planRun({ plan, tools: guarded, options: { approve: () => Promise.reject(new DeniedError('No.')) } });
    expect(ended.result.error).toMatchObject({ code: 'denied', message: 'No.' });
  });
});

describe('the output of a plan', () => {
  const output_schema = { type: 'object', properties: { label: { type: 'string' } }, required: ['label'] };

  test('is checked with its schema, and text is read for it', async () => {
    const { result } = await planRun({
      plan: { steps: [{ name: 'a', llm: 'Hi' }] },
      agent: { output_schema, mode: 'Extractor' },
      answers: [says('Here: {"label": "x"}')],
    });
    expect(result).toMatchObject({ output: { label: 'x' }, metadata: { repairs: [{ keyword: 'prose' }] } });
  });

  test('that does not fit fails the run, and says what to change', async () => {
    const { result } = await planRun({
      plan: { steps: [{ name: 'a', llm: 'Hi' }], output: { label: 7, text: '{"label": "x"}', finish_reason: 'stop' } },
      agent: { output_schema },
      answers: [says('Hm')],
    });
    expect(result).toMatchObject({
      status: 'failed',
      output: null,
      error: { code: 'output-invalid', details: { issues: [{ path: '/label' }] } },
    });
    expect(result.error!.message).toContain('No model repairs the output of a plan: change "output"');
  });

  test.each([[['a', 1]], [7], [null]])('may be any JSON without a schema, and no object with one fails: %j', async (output) => {
    const plan = { steps: [{ name: 'a', llm: 'Hi' }], output };
    expect((await planRun({ plan, answers: [says('Hm')] })).result).toMatchObject({ success: true, output });
    const { result } = await planRun({ plan, agent: { output_schema }, answers: [says('Hm')] });
    expect(result.error?.code).toBe('output-invalid');
  });
});

describe('an agent in an agent', () => {
  const circle = {
    agent_type: 'orchestrating',
    execution_plan: { steps: [{ name: 'back', agent: 'Plan@v1', input: { title: '{{input.title}}' } }] },
  };

  test('ends when it goes too deep, and says how it came there', async () => {
    const { result } = await planRun({ plan: { steps: [{ name: 'down', agent: 'Circle@v1' }] }, agents: { Circle: circle } });
    expect(result.error).toMatchObject({ code: 'recursion-limit', details: { step: 'down' } });
    expect(result.error!.message).toContain('Agents call each other more than 8 deep: Plan@v1 > Circle@v1 > Plan@v1 >');
  });

  test('shows its events and its tools as those of the run', async () => {
    const { events, result } = await planRun({
      plan: { steps: [{ name: 'talk', agent: 'Talk@v1' }] },
      agents: { Talk: { agent_type: 'react', model_name: 'gpt-4.1-mini', max_iterations: 3, enabled_tools: ['find'] } },
      models: { Talk: [{ chunks: [], thoughts: ['Hm.'], calls: [{ name: 'find', input: { q: 'x' } }] }, says('Fine.')] },
      tools: [{ name: 'find' }],
    });
    expect(typesOf(events)).toBe('run_start step_start thinking tool_call tool_result chunk step_end final');
    expect(result).toMatchObject({ output: 'Fine.', metadata: { tools_used: ['find'], iterations: 2 } });
  });

  test('may spend what is left of the budget', async () => {
    const given = (max_cost: number): PlanCase => ({
      plan: {
        steps: [
          { name: 'a', llm: 'Hi' },
          { name: 'labels', agent: 'Labels@v1' },
        ],
      },
      agent: { budget: { max_cost }, max_output_tokens: 100 },
      answers: [{ chunks: ['Hi'], usage: { prompt_tokens: 100_000, completion_tokens: 5, total_tokens: 100_005, cached_tokens: 0 } }],
      models: { Labels: [says(good)] },
    });
    const { result } = await planRun(given(0.0401));
    expect(result.error).toMatchObject({ code: 'budget-exceeded', details: { step: 'labels' } });
    const spent = await planRun(given(0.03));
    expect(spent.result.error).toMatchObject({ code: 'budget-exceeded' });
    expect((await planRun(given(1))).result.success).toBe(true);
  });

  test('ends with the run that called it', async () => {
    const controller = new AbortController();
    const { run } = await preparePlan({
      plan: {
        steps: [
          { name: 'labels', agent: 'Labels@v1', on_error: 'continue' },
          { name: 'b', llm: 'Hi' },
        ],
      },
      models: { Labels: [{ chunks: ['{"lab'], hangs: true }] },
      options: { signal: controller.signal },
    });
    const events: AgentEvent[] = [];
    for await (const event of run) {
      events.push(event);
      if (event.type === 'chunk') controller.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: 'final', result: { status: 'cancelled', text: '{"lab' } });
  });
});

test('what the agents of a plan ask and call is watched as part of its run', async () => {
  const seen: string[] = [];
  const watch = {
    event: () => undefined,
    abandoned: () => undefined,
    modelCall: ({ model }: { model: string }) => {
      seen.push(`ask ${model}`);
      return { part: () => undefined, end: () => undefined, fail: () => undefined };
    },
    toolCall: ({ name }: { name: string }) => {
      seen.push(`call ${name}`);
      return { within: <Result>(call: () => Result) => call(), end: () => undefined, fail: () => undefined };
    },
  };
  const { request } = await preparePlan({
    plan: {
      steps: [
        { name: 'find', skill: 'find', input: { q: 'x' } },
        { name: 'labels', agent: 'Labels@v1' },
      ],
    },
    tools: [{ name: 'find' }],
    models: { Labels: [says(good)] },
  });
  const { result } = await collectRun(observeRun({ begin: () => watch }, request));
  expect(result.success).toBe(true);
  expect(seen).toEqual(['call find', 'ask gpt-4.1-mini']);
});

test('there is no one request of a plan to show', async () => {
  const { agent, ports } = await preparePlan({ plan: { steps: [{ name: 'a', llm: 'Hi' }] } });
  const caught = await catchRequest(agent, {}, ports as never);
  expect(caught).toMatchObject({ request: undefined, refusal: expect.stringContaining('Run it') });
});
