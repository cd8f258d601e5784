import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import { runAgent } from '../../core/agent/runAgent.js';
import type { RunRequest, SessionMessage } from '../../core/agent/types.js';
import type { UnfinishedAnswer } from '../../core/durable.js';
import { LlmError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import type { LlmClient, LlmRequest } from '../../core/llm/types.js';
import { runs } from '../support/effort.js';
import { type KeptOptions, type KeptOrder, type KeptValues, keptSteps } from '../support/keptSteps.js';
import { type ScriptedAnswer, scriptedModel } from '../support/scriptedModel.js';
import { type ScriptedTool, scriptedTools } from '../support/scriptedTools.js';
import { checkRun } from './collectRun.js';
import { type PlanCase, preparePlan } from './plan/planRun.js';
import { prepareReact } from './react/reactRun.js';
import { chooser, sampleProject } from './sampleProject.js';

// A run that is cut after any of its steps and goes on in another process ends as one that was never cut, and asks for nothing twice.

/** Everything outside, which outlives each process: models answer from one script, in the order asked. */
interface World {
  readonly answers: readonly ScriptedAnswer[];
  readonly tools?: readonly ScriptedTool[];
  readonly verdicts?: 'allow' | 'deny';
  /** Makes the request of a process; `world` takes the place of what it has. */
  readonly request: (
    world: Pick<RunRequest, 'llm' | 'openTools' | 'connectAgent' | 'approve'>,
  ) => Promise<{ request: RunRequest; clock: Clock }>;
}

type Clock = { pass(milliseconds: number): Promise<void> };

interface Ended {
  readonly result: RunResult;
  readonly requests: readonly LlmRequest[];
  readonly calls: readonly { readonly name: string; readonly input: JsonObject }[];
  readonly asked: number;
}

/** One process. Undefined: it was cut. */
async function run(
  { answers, tools = [], verdicts = 'allow', request }: World,
  kept?: ReturnType<typeof keptSteps>,
  skipped = 0,
): Promise<Ended | undefined> {
  const llm = await skip(scriptedModel(...answers), skipped);
  const { seen, openTools } = scriptedTools(...tools);
  let asked = 0;
  const approve = async () => {
    asked += 1;
    return verdicts;
  };
  const { request: given, clock } = await request({ llm, openTools, approve, connectAgent: () => ({ llm, openTools }) });
  const events: AgentEvent[] = [];
  let isOver = false;
  let failure: unknown;
  const reading = (async () => {
    for await (const event of runAgent({ ...given, ...(kept && { steps: kept }) })) events.push(event);
  })().then(
    () => {
      isOver = true;
    },
    (error) => {
      failure = error;
      isOver = true;
    },
  );
  let isCut = false;
  kept?.isCut.then(() => {
    isCut = true;
  });
  while (!isOver && !isCut) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.pass(400);
  }
  if (isCut) return undefined;
  await reading;
  if (failure) throw failure;
  return { result: checkRun(events), requests: llm.requests, calls: seen.calls, asked };
}

/** The same script without the answers that were kept. */
async function skip(model: ReturnType<typeof scriptedModel>, count: number): Promise<LlmClient & { requests: LlmRequest[] }> {
  for (let index = 0; index < count; index += 1) await model.call({ model: 'm', messages: [] }).catch(() => undefined);
  model.requests.length = 0;
  return model;
}

/** Without what no two runs share. */
function lasting(result: RunResult): unknown {
  const own = new Set(['run_id', 'trace_id', 'correlation_id', 'timestamp', 'execution_time_ms']);
  return JSON.parse(JSON.stringify(result), (key, value) => (own.has(key) ? undefined : value));
}

const messagesOf = (requests: readonly LlmRequest[]) => requests.map(({ messages, tools }) => JSON.stringify([messages, tools]));

/** Cuts a run at each of its steps. `most`: a run of more steps is cut at some of them only. */
async function checkCuts(world: World, { most = Number.POSITIVE_INFINITY, once = false } = {}): Promise<void> {
  const plain = (await run(world))!;
  const values: KeptValues = new Map();
  const order: KeptOrder = new Map();
  const whole = (await run(world, keptSteps(values, order)))!;
  expect(lasting(whole.result)).toEqual(lasting(plain.result));
  expect(messagesOf(whole.requests)).toEqual(messagesOf(plain.requests));
  expect(whole.result.error?.code).not.toBe('internal');
  const again = (await run({ ...world, answers: [] }, keptSteps(values, order)))!;
  expect(again.requests).toEqual([]);
  expect(again.calls).toEqual([]);
  expect(again.asked).toBe(0);
  expect(lasting(again.result)).toEqual(lasting(plain.result));

  const count = values.size * (once ? 2 : 1);
  const stride = Math.max(1, Math.ceil(count / most));
  for (let cutAfter = 1; cutAfter < count; cutAfter += stride) {
    const left: KeptValues = new Map();
    const places: KeptOrder = new Map();
    if ((await run(world, keptSteps(left, places, { cutAfter }))) !== undefined) break;
    const done = keptCounts(left);
    const next = (await run(world, keptSteps(left, places, { unfinished: 'repeat' }), done.llm))!;
    expect(lasting(next.result)).toEqual(lasting(plain.result));
    expect(messagesOf(next.requests)).toEqual(messagesOf(plain.requests).slice(done.llm));
    expect(next.asked).toBe(plain.asked - done.approval);
  }
}

function keptCounts(values: KeptValues) {
  const names = [...values].flatMap(([name, entry]) => (entry === 'begun' ? [] : [name]));
  const count = (pattern: RegExp) => names.filter((name) => pattern.test(name)).length;
  return { llm: count(/(^|\/)llm\/\d+$/), approval: count(/(^|\/)approval\//), tool: count(/(^|\/)tool\//) };
}

const reactWorld = (
  agent: JsonObject,
  answers: readonly ScriptedAnswer[],
  tools: readonly ScriptedTool[] = [],
  options: Partial<RunRequest> = {},
): World => ({
  answers,
  tools,
  async request(world) {
    const { agent: loaded, ports } = await prepareReact({ answers: [], agent });
    return { request: { agent: loaded, payload: { title: 'It crashes' }, ports, ...world, ...options }, clock: ports.clock };
  },
});

const planWorld = (given: PlanCase, answers: readonly ScriptedAnswer[]): World => ({
  answers,
  ...(given.tools && { tools: given.tools }),
  async request(world) {
    const { request, ports } = await preparePlan(given);
    return { request: { ...request, ...world }, clock: ports.clock };
  },
});

/** The clock of these tests runs fast. */
const patient = { timeout_ms: 3_600_000 };
const good = '{"label": "bug", "reason": "it crashes"}';
const says = (text: string, rest: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({ chunks: [text.slice(0, 5), text.slice(5)], ...rest });

describe('cut after every step and gone on with', () => {
  test('a single call', async () => {
    await checkCuts({
      answers: [says(good, { thoughts: ['Hm.'] })],
      async request(world) {
        const { factory, ports } = sampleProject();
        return { request: { agent: await factory.load('Labels', 'v1'), payload: { title: 'x' }, ports, ...world }, clock: ports.clock };
      },
    });
  });

  test('tool calls side by side, with approval, tries, results that hold and what was thought', async () => {
    let count = 0;
    await checkCuts(
      reactWorld(
        {},
        [
          { chunks: ['I look.'], thoughts: ['Hm.'], calls: ['a', 'b', 'guarded', 'flaky'].map((name) => ({ name, input: { q: 'x' } })) },
          { chunks: [], calls: [{ name: 'a', input: { q: 'x' } }, { name: 'missing' }, { name: 'b', input_text: '[1' }] },
          says('{"label": "wish"}'),
          says(`\`\`\`json\n${good}\n\`\`\``),
        ],
        [
          { name: 'a', call: ({ q }) => ({ content: `${q}`, hints: { validity_period_ms: 50_000 }, documents: [{ id: 'd' }] }) },
          { name: 'b', dependencies: ['nobody'] },
          { name: 'guarded', needs_approval: true },
          {
            name: 'flaky',
            call: () => {
              count += 1;
              if (count % 2 === 1) throw new Error('once more');
              return 'there';
            },
          },
        ],
      ),
    );
  });

  test('calls that wait for each other, one of which changes something', async () => {
    await checkCuts(
      reactWorld(
        {},
        [{ chunks: [], calls: ['late', 'early', 'other'].map((name) => ({ name, input: { q: 'x' } })) }, says(good)],
        [{ name: 'late', dependencies: ['early'] }, { name: 'early', idempotent: false, side_effects: true }, { name: 'other' }],
      ),
      { once: true },
    );
  });

  test('the text protocol, a reply that cannot be read, an overfull window and a budget that ends the run', async () => {
    await checkCuts(
      reactWorld(
        { tool_protocol: 'text', budget: { max_cost: 0.02 }, max_output_tokens: 500 },
        [
          says('Thought: I look.\nAction: a\nAction Input: {"q": "x"}'),
          says('Thought: hm'),
          { chunks: [], error: new LlmError('context-length', 'Too long.') },
          says('Thought: I look again.\nAction: a\nAction Input: {"q": "y"}'),
          says('Final Answer: no'),
          says(`Final Answer: ${good}`, {
            usage: { prompt_tokens: 90_000, completion_tokens: 10, total_tokens: 90_010, cached_tokens: 0 },
          }),
        ],
        [{ name: 'a' }],
      ),
    );
  });

  test('a conversation that is remembered', async () => {
    const kept: SessionMessage[] = [];
    const sessions = {
      load: async () => [...kept],
      append: async (_session: string, _run: string, messages: readonly SessionMessage[]) => void kept.push(...messages),
    };
    const world = reactWorld(
      { include_history: true },
      [{ chunks: [], calls: [{ name: 'a', input: { q: 'x' } }] }, says(good)],
      [{ name: 'a' }],
      { context: { session_id: 's' }, sessions },
    );
    const values: KeptValues = new Map();
    const order: KeptOrder = new Map();
    expect(await run(world, keptSteps(values, order, { cutAfter: 3 }))).toBeUndefined();
    await run(world, keptSteps(values, order), 1);
    expect(kept.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  test('a plan with skills, agents in agents, conditions, repetitions and errors', async () => {
    await checkCuts(
      planWorld(
        {
          agent: patient,
          plan: {
            steps: [
              {
                name: 'poll',
                skill: 'poll',
                input: { q: 'x' },
                repeat: { until: { step: 'poll', output_field: 'done', operator: 'equals', value: true }, max: 3 },
              },
              { name: 'never', skill: 'poll', input: { q: 'x' }, when: { step: 'poll', status: 'failure' } },
              { name: 'labels', agent: 'Labels@v1', on_error: 'retry', retries: 2 },
              { name: 'inner', agent: 'Inner@v1', input: { text: '{{steps.labels.output.label}}' } },
              { name: 'loose', llm: 'Say {{input.title}}.', on_error: 'continue' },
              { name: 'sum', llm: 'Sum {{steps.inner.output}}.', when: { step: 'loose', status: 'failure' } },
            ],
          },
          tools: [
            {
              name: 'poll',
              call: (_input, { call_id }) => ({ content: 'polled', value: { done: call_id === 'call_2' } }),
            },
            { name: 'write', idempotent: false },
          ],
          agents: {
            Labels: { ...chooser, ...patient },
            Inner: {
              ...patient,
              agent_type: 'orchestrating',
              model_name: 'gpt-4.1-mini',
              execution_plan: {
                steps: [
                  { name: 'w', skill: 'write', input: { q: '{{input.text}}' } },
                  { name: 'm', llm: 'Go.' },
                ],
              },
            },
          },
        },
        [
          says('{"label": "wish"}'),
          says(good),
          says('Gone.'),
          { chunks: ['Par'], error: new LlmError('server', 'Down.') },
          says('The sum.'),
        ],
      ),
      { once: true },
    );
  });
});

describe('a call that began and whose end is unknown', () => {
  const worldWith = (input: JsonObject) =>
    reactWorld(
      {},
      [{ chunks: [], calls: [{ name: 'write', input }] }, says(good)],
      [{ name: 'write', idempotent: false, parameters: { type: 'object' } }],
    );
  const goneOn = async (unfinished?: UnfinishedAnswer, world = worldWith({ q: 'x' })) => {
    const values: KeptValues = new Map();
    const order: KeptOrder = new Map();
    const options: KeptOptions = { ...(unfinished && { unfinished }) };
    // The model call, then the mark that the tool begins.
    expect(await run(world, keptSteps(values, order, { cutAfter: 2 }))).toBeUndefined();
    return (await run(world, keptSteps(values, order, options), 1))!;
  };

  test('stops the run, which says what it was', async () => {
    const { result, calls } = await goneOn();
    expect(calls).toEqual([]);
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'denied', recoverable: true, details: { unfinished: { step: 'tool/1/use_1_1', tool: 'write', input: { q: 'x' } } } },
    });
  });

  test('is asked about without what its names say is secret', async () => {
    const { result } = await goneOn(undefined, worldWith({ q: 'x', api_key: 'q7Zp2Lx9Vb4Nw8Rt5Ys1' }));
    expect(result.error?.details?.unfinished).toMatchObject({ input: { q: 'x', api_key: '*'.repeat(20) } });
  });

  test('is made again when a person says so', async () => {
    const { result, calls } = await goneOn('repeat');
    expect(calls).toHaveLength(1);
    expect(result.success).toBe(true);
  });

  test('is told to the model as failed when a person says to leave it', async () => {
    const { result, calls } = await goneOn('skip');
    expect(calls).toEqual([]);
    expect(result.success).toBe(true);
    expect(result.reasoning.steps[0]?.observation).toBe('Error: Whether write was done is not known.');
  });
});

test('ids that a model gives twice are two calls', async () => {
  await checkCuts(
    reactWorld(
      {},
      [
        { chunks: [], calls: ['x', 'y'].map((q) => ({ name: 'a', input: { q }, id: 'same' })) },
        { chunks: [], calls: [{ name: 'a', input: { q: 'z' }, id: 'same' }] },
        says(good),
      ],
      [{ name: 'a' }],
    ),
  );
});

test('a run that goes on is the same run, and says so', async () => {
  const { request } = await reactWorld({}, []).request({ llm: scriptedModel(says(good)) });
  const events: AgentEvent[] = [];
  const resume = { run_id: 'a'.repeat(32), seq: 7, finished_steps: 3, timestamp: '2026-01-01T00:00:00.000Z' };
  for await (const event of runAgent({ ...request, resume })) events.push(event);
  expect(events[0]).toMatchObject({ type: 'run_start', run_id: resume.run_id, seq: 7, resumed: 3 });
  expect(events.at(-1)).toMatchObject({ type: 'final', result: { run_id: resume.run_id, success: true } });
});

test('a reader that leaves in the middle of an answer ends the call', async () => {
  const aborted: unknown[] = [];
  const llm: LlmClient = {
    call: () => Promise.reject(new Error('not asked')),
    async *stream({ signal }) {
      yield { type: 'text', text: 'a' };
      await new Promise((_, reject) =>
        signal?.addEventListener('abort', () => {
          aborted.push(signal.reason);
          reject(signal.reason);
        }),
      );
    },
  };
  const { request } = await reactWorld({}, []).request({ llm });
  for await (const event of runAgent({ ...request, steps: keptSteps(new Map(), new Map()) })) if (event.type === 'chunk') break;
  expect(aborted).toHaveLength(1);
});

const names = fc.constantFrom('calm', 'failing', 'throwing', 'odd', 'valid', 'guarded', 'writing', 'first', 'unknown');
const inputs: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ q: fc.constantFrom('a', 'b') }),
  fc.dictionary(fc.constantFrom('q', '__proto__', 'z'), fc.constantFrom('a', 1, null, true), { maxKeys: 2 }),
);
const texts = fc.oneof(
  fc.constantFrom(good, '', '{"label": "wish"}', '{"label": "bug"', 'Final Answer: 42', `Final Answer: ${good}`, 'Thought: hm'),
  fc.tuple(names, inputs).map(([name, input]) => `Thought: I try.\nAction: ${name}\nAction Input: ${JSON.stringify(input)}`),
);
const answers: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      chunks: fc.tuple(texts),
      thoughts: fc.constantFrom(['Hm.'], []),
      calls: fc.array(
        fc.record({ name: names, input: inputs, input_text: fc.constantFrom('[1', 'plain') }, { requiredKeys: ['name', 'input'] }),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ chunks: fc.tuple(texts) }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('context-length' as const, 'network' as const)
      .map((reason) => ({ chunks: [], error: new LlmError(reason, 'No.') })),
  },
);
const tools: readonly ScriptedTool[] = [
  { name: 'calm', dependencies: ['first'] },
  { name: 'first', dependencies: ['writing'] },
  { name: 'failing', call: () => ({ content: 'no', is_error: true, can_retry: true }) },
  {
    name: 'throwing',
    call: () => {
      throw new Error('broken');
    },
  },
  { name: 'odd', call: () => null as never },
  { name: 'valid', call: ({ q }) => ({ content: `${q}`, hints: { validity_period_ms: Number.POSITIVE_INFINITY, dependencies: ['odd'] } }) },
  { name: 'guarded', needs_approval: true },
  { name: 'writing', idempotent: false },
];

test('for any answers of the model, wherever the run is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(answers, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('native', 'text'),
      fc.constantFrom('allow' as const, 'deny' as const),
      async (script, tool_protocol, verdicts) => {
        const rest = Array.from({ length: 8 }, () => ({ chunks: [`Final Answer: ${good}`] }));
        await checkCuts(
          { ...reactWorld({ tool_protocol, max_iterations: 6, ...patient }, [...script, ...rest], tools), verdicts },
          { most: 6, once: true },
        );
      },
    ),
    { numRuns: runs(15, 40) },
  );
}, 60_000);
