import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import { runAgent } from '../../core/agent/runAgent.js';
import type { Agent, RunRequest } from '../../core/agent/types.js';
import { DeniedError, LlmError, ReplayMismatchError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import type { Clock } from '../../core/ports.js';
import { describeDifferences } from '../../core/run/describeDifferences.js';
import { parseRecording, type RunRecording } from '../../core/run/readRecording.js';
import { recordRun } from '../../core/run/recording.js';
import { replayRun } from '../../core/run/replay.js';
import { createSessionStore } from '../../core/run/sessionStore.js';
import { sampleProject } from '../agent/sampleProject.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { type ScriptedAnswer, scriptedModel } from '../support/scriptedModel.js';
import { type ScriptedTool, scriptedTools } from '../support/scriptedTools.js';
import { countingRandom, standingClock } from '../support/testPorts.js';

const secret = `sk-ant-${'aB3dE5gH7jK9'.repeat(3)}`;
const reacts = { agent_type: 'react', mode: null, output_schema: null, enums: null, defaults: null, retry_attempts: 2, max_iterations: 6 };

const load = (fields: JsonObject = {}): Promise<Agent> => {
  const agent = Object.fromEntries(
    Object.entries({ ...reacts, ...fields }).map(([key, value]) => [key, value === null ? undefined : value]),
  );
  return sampleProject(agent as JsonObject).factory.load('Labels', 'v1');
};

/** Stands still, and is not waited for. */
const clock: Clock = { ...standingClock(), sleep: async (_milliseconds, signal) => signal?.throwIfAborted() };

interface Started {
  readonly events: readonly AgentEvent[];
  readonly result: RunResult;
}

type Parts = Partial<RunRequest>;

async function run(agent: Agent, parts: Parts, stopAt = Number.POSITIVE_INFINITY): Promise<Started> {
  const ports = { clock, random: countingRandom(), logger: { log: () => undefined } };
  const events: AgentEvent[] = [];
  const controller = new AbortController();
  const signal = parts.signal ? AbortSignal.any([controller.signal, parts.signal]) : controller.signal;
  const request = { agent, payload: { title: 'x' }, ports, llm: scriptedModel(), ...parts, signal };
  for await (const event of runAgent(request)) {
    events.push(event);
    if (events.length === stopAt) controller.abort();
    if (event.final) return { events, result: event.result };
  }
  throw new Error('The run ended without a final event');
}

async function record(agent: Agent, parts: Parts & Pick<RunRequest, 'llm'>, stopAt?: number): Promise<Started & { text: string }> {
  let text = '';
  const { agent_name, version } = agent.resolved.config;
  const recording = recordRun({ agent_name, version, snapshot_hash: agent.snapshot.hash }, parts, {
    append(line) {
      text += line;
    },
  });
  const started = await run(agent, { ...parts, ...recording.connections }, stopAt);
  await recording.end(started.result);
  return { ...started, text };
}

/** As the recorded run told it: a replay itself costs nothing. */
function asRecorded({ events, result }: Started): Started {
  const { recorded_cost_usd = null, ...metadata } = result.metadata;
  expect(metadata.estimated_cost_usd).toBe(0);
  const then: RunResult = { ...result, metadata: { ...metadata, estimated_cost_usd: recorded_cost_usd } };
  return { events: events.map((event) => (event.final ? { ...event, result: then } : event)), result: then };
}

async function replay(agent: Agent, recorded: string | RunRecording, parts: Parts = {}): Promise<Started> {
  const recording = typeof recorded === 'string' ? parseRecording(recorded) : recorded;
  const cancelled = new AbortController();
  const { agent_name, version } = agent.resolved.config;
  const connections = replayRun(recording, { agent_name, version, snapshot_hash: agent.snapshot.hash, cancel: () => cancelled.abort() });
  return asRecorded(await run(agent, { ...parts, ...connections, signal: cancelled.signal }));
}

const looks: ScriptedAnswer = { chunks: ['I ', 'look.'], thoughts: ['hm'], calls: [{ name: 'look', input: { q: 'a' } }] };
const answers: ScriptedAnswer = { chunks: ['It is ', 'done.'] };
const look: ScriptedTool = { name: 'look' };

describe('a recorded run', () => {
  test('whose budget limited an answer is replayed under any budget', async () => {
    const agent = await load();
    const budget = (max_cost: number) => ({ context: { budget: { max_cost } } });
    const recorded = await record(agent, { llm: scriptedModel(answers), ...budget(0.002) });
    expect(recorded.text).toContain('"is_budget_limit":true');
    for (const parts of [{}, budget(0.003), budget(1)]) {
      const { result } = await replay(agent, recorded.text, parts);
      expect(result).toMatchObject({ status: 'completed', text: 'It is done.' });
    }
  });

  test('is replayed with the same events and the same result', async () => {
    const agent = await load();
    const { openTools } = scriptedTools(look);
    const { text, events, result } = await record(agent, { llm: scriptedModel(looks, answers), openTools });
    const again = await replay(agent, text);
    expect(again.events).toEqual(events);
    expect(result).toMatchObject({ status: 'completed', text: 'It is done.', metadata: { tools_used: ['look'] } });
  });

  test('uses results again as it did then, however fast the replay is', async () => {
    const agent = await load();
    let now = 0;
    const slow: Clock = { ...clock, monotonic: () => now };
    const dated: ScriptedTool = {
      name: 'look',
      call: () => {
        now += 40_000;
        return { content: `seen at ${now}`, hints: { validity_period_ms: 60_000 } };
      },
    };
    const later: ScriptedTool = {
      name: 'wait',
      call: () => {
        now += 61_000;
        return 'later';
      },
    };
    const waits: ScriptedAnswer = { chunks: [], calls: [{ name: 'wait', input: { q: 'b' } }] };
    const timeless = ({ events, result }: Started) => [events.slice(0, -1), result.status, result.conversation, result.reasoning];
    const script = scriptedModel(looks, looks, waits, answers);
    const ports = () => ({ clock: slow, random: countingRandom(), logger: { log: () => undefined } });
    const once = await record(agent, { llm: script, openTools: scriptedTools(dated, later).openTools, ports: ports() });
    expect(once.text.match(/"tool":\{"name":"look"/g)).toHaveLength(1);
    expect(timeless(await replay(agent, once.text))).toEqual(timeless(once));

    const again = scriptedModel(looks, waits, looks, looks, answers);
    const twice = await record(agent, { llm: again, openTools: scriptedTools(dated, later).openTools, ports: ports() });
    expect(twice.text.match(/"tool":\{"name":"look"/g)).toHaveLength(2);
    expect(timeless(await replay(agent, twice.text))).toEqual(timeless(twice));
  });

  test('is a line for each exchange, with the tools in the first', async () => {
    const agent = await load();
    const { text } = await record(agent, { llm: scriptedModel(looks, answers), openTools: scriptedTools(look).openTools });
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => Object.keys(line)[0])).toEqual(['format', 'llm', 'tool', 'llm', 'end']);
    expect(lines[0]).toMatchObject({ agent_name: 'Labels', version: 'v1', snapshot_hash: agent.snapshot.hash, tools: [{ name: 'look' }] });
    expect(lines[2]).toEqual({ tool: { name: 'look', input: { q: 'a' }, outcome: { content: 'look of {"q":"a"}' } } });
    expect(text).not.toContain('signature');
  });

  test('a whole answer, asked for at once, is replayed as such', async () => {
    const agent = await load({
      agent_type: 'single_shot',
      system_text: 's',
      purpose_text: 'p',
      mode: 'Writer',
      output_schema: { type: 'object' },
    });
    const parts = { delivery: 'call' as const };
    const { text, events } = await record(agent, { ...parts, llm: scriptedModel({ chunks: ['{"a": 1}'] }) });
    expect((await replay(agent, text, parts)).events).toEqual(events);
    expect((await replay(agent, text)).result.output).toEqual({ a: 1 });
  });

  test('goes on with the session it had, and adds nothing to it', async () => {
    const agent = await load({ include_history: true });
    const files = memoryFiles();
    const sessions = createSessionStore({ files, clock });
    await sessions.append('s', 'before', [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
    ]);
    const context = { session_id: 's' };
    const { text, events } = await record(agent, { llm: scriptedModel(answers), sessions, context });
    expect(text).toContain('"session"');
    const before = files.texts.get('.agentstack/sessions/s.jsonl');
    expect((await replay(agent, text, { context })).events).toEqual(events);
    expect(files.texts.get('.agentstack/sessions/s.jsonl')).toBe(before);
  });

  test.each<[string, RunRequest['approve']]>([
    ['allowed', async () => 'allow'],
    ['not allowed', async () => 'deny'],
    ['ended', async () => Promise.reject(new DeniedError('Not here.'))],
    ['asked of no one', undefined],
  ])('a call that was %s is so again', async (_, approve) => {
    const agent = await load();
    const { openTools } = scriptedTools({ ...look, needs_approval: true });
    const { text, events } = await record(agent, { llm: scriptedModel(looks, answers), openTools, ...(approve && { approve }) });
    expect((await replay(agent, text)).events).toEqual(events);
  });

  test('tools that could not be had cannot be had again', async () => {
    const agent = await load();
    const openTools = () => Promise.reject(new DeniedError('The server lists something else.'));
    const { text, events, result } = await record(agent, { llm: scriptedModel(), openTools });
    expect(result.error).toMatchObject({ code: 'denied' });
    expect((await replay(agent, text)).events).toEqual(events);
  });

  test('cancelled at any event, it ends in the same way, having done no more', async () => {
    const agent = await load();
    const whole = await record(agent, { llm: scriptedModel(looks, looks, answers), openTools: scriptedTools(look).openTools });
    // Behind the last step there is nothing left to cancel.
    for (let stopAt = 1; stopAt < whole.events.length - 1; stopAt += 1) {
      const { text, result } = await record(
        agent,
        { llm: scriptedModel(looks, looks, answers), openTools: scriptedTools(look).openTools },
        stopAt,
      );
      expect(result.status).toBe('cancelled');
      const again = await replay(agent, text);
      expect(again.result.status, `after event ${stopAt}`).toBe('cancelled');
      expect(again.result.error).toEqual(result.error);
    }
  });

  test('cancelled while a tool worked that never answers', async () => {
    const agent = await load();
    const cancel = new AbortController();
    const { openTools } = scriptedTools({
      ...look,
      call() {
        setTimeout(() => cancel.abort(), 5);
        return new Promise<string>(() => undefined);
      },
    });
    const { text, events } = await record(agent, { llm: scriptedModel(looks), openTools, signal: cancel.signal });
    expect(text).toContain('"abandoned":"cancelled"');
    expect((await replay(agent, text)).events).toEqual(events);
  });
});

describe('secrets in a record', () => {
  const quotes: ScriptedTool = {
    name: 'look',
    call: () => ({ content: `the key is ${secret}`, value: { token: 'q8Wk2Zt7Lm4Vx9Bn3Rc6' }, documents: [{ id: 'd', text: secret }] }),
  };

  test('are covered, also where a stream has cut them, and do not make the replay fail', async () => {
    const agent = await load();
    const says: ScriptedAnswer = { chunks: ['The key ', secret.slice(0, 9), secret.slice(9, 30), `${secret.slice(30)}, here.`] };
    const asks: ScriptedAnswer = { chunks: [], calls: [{ name: 'look', input: { q: secret } }] };
    const payload = { title: `about ${secret}` };
    const { text, result } = await record(agent, { llm: scriptedModel(asks, says), openTools: scriptedTools(quotes).openTools, payload });
    expect(result.text).toBe(`The key ${'*'.repeat(secret.length)}, here.`);
    for (const hidden of [secret, secret.slice(7), 'q8Wk2Zt7', secret.slice(9, 30)]) expect(text).not.toContain(hidden);
    const again = await replay(agent, text, { payload });
    expect(again.result).toMatchObject({ status: 'completed', text: `The key ${'*'.repeat(secret.length)}, here.` });
    expect(again.events.map(({ type }) => type)).toEqual((await replay(agent, text, { payload })).events.map(({ type }) => type));
  });

  test('that were cut off for the model are no difference', async () => {
    const agent = await load();
    for (let length = 7990; length < 8050; length += 7) {
      const long: ScriptedTool = { name: 'look', call: () => `${'x'.repeat(length)} ${secret} ${'y '.repeat(30_000)}` };
      const { text } = await record(agent, { llm: scriptedModel(looks, answers), openTools: scriptedTools(long).openTools });
      expect((await replay(agent, text)).result.error).toBeNull();
    }
  });
});

describe('a run that is another one', () => {
  const recorded = async (fields?: JsonObject) =>
    record(await load(fields), { llm: scriptedModel(looks, answers), openTools: scriptedTools(look).openTools });
  const mismatch = async (agent: Agent, text: string, parts: Parts = {}) => (await replay(agent, text, parts)).result.error;

  test('says what is asked for now, and what was', async () => {
    const { text } = await recorded();
    const error = await mismatch(await load({ purpose_text: 'Choose the label that suits.' }), text);
    expect(error).toMatchObject({ code: 'replay-mismatch' });
    expect(error?.message).toContain('Model call 1 is not the one that was recorded: /messages/0/content: ');
    expect(error?.message).toContain('that fits');
    expect(error?.message).toContain('that suits');
    expect(error?.message).toContain('The configuration has changed since');
    expect(error?.details?.differences).toHaveLength(1);
    expect(error!.message.length).toBeLessThan(600);
  });

  test.each([
    [{ temperature: 0.1 }, '/temperature: 0.7 was recorded, now 0.1'],
    [{ max_output_tokens: 5 }, '/max_tokens: 4096 was recorded, now 5'],
    [{ model_name: 'gpt-5.4-mini' }, '/model: "gpt-4.1-mini" was recorded, now "gpt-5.4-mini"'],
    [{ tool_protocol: 'text' }, 'was recorded, now nothing'],
  ])('names the field: %j', async (fields, words) => {
    const { text } = await recorded();
    expect((await mismatch(await load(fields), text))?.message).toContain(words);
  });

  test('what the request does not show is no difference', async () => {
    const { text } = await recorded();
    expect(await mismatch(await load({ retry_attempts: 5, description: 'x' }), text)).toBeNull();
  });

  test('with another input of a tool', async () => {
    const { text } = await recorded();
    const changed = text.replace('"tool":{"name":"look","input":{"q":"a"}', '"tool":{"name":"look","input":{"q":"b"}');
    expect((await mismatch(await load(), changed))?.message).toContain(
      'The call of look is not among the recorded ones: look /q: "b" was recorded, now "a"',
    );
  });

  test('with more turns than the record has', async () => {
    const { text } = await recorded();
    const lines = text.trimEnd().split('\n');
    const cut = lines.slice(0, 3).join('\n');
    expect((await mismatch(await load(), cut))?.message).toContain(
      'The record has 1 model call, and the run makes one more. The recorded run was cut off there.',
    );
    expect((await mismatch(await load(), `${cut}\n${lines[3]!.slice(0, 40)}`))?.message).toContain('cut off');
  });

  test('of another agent', async () => {
    const { text } = await recorded();
    const recording = parseRecording(text);
    expect(() => replayRun(recording, { agent_name: 'Other', version: 'v1', snapshot_hash: '', cancel: () => undefined })).toThrow(
      ReplayMismatchError,
    );
  });

  test.each(['', '{}', '[]', 'no JSON', '{"format": 2, "agent_name": "a", "tools": []}', '{"format":1}'])('%j is not a record', (text) => {
    expect(() => parseRecording(text)).toThrow(SyntaxError);
  });
});

test.each<[string, string, boolean]>([
  ['a', 'a', true],
  ['**bold**', '__bold__', false],
  ['- item', '* item', false],
  [`key ${'*'.repeat(20)}.`, `key ${'x'.repeat(20)}.`, true],
  [`key ${'*'.repeat(20)}.`, `key ${'x'.repeat(21)}.`, false],
  [`key ${'*'.repeat(20)}.`, `kez ${'x'.repeat(20)}.`, false],
  ['cut off in a sk-an', 'cut off in a *****', true],
  ['__proto__', 'constructor', false],
])('%j and %j: the same is %s', (recorded, now, same) => {
  expect(describeDifferences({ a: [recorded] }, { a: [now] })).toHaveLength(same ? 0 : 1);
});

test('differences are named by pointers, the first ten of them', () => {
  const recorded = JSON.parse('{"__proto__": 1, "a/b": [1, 2], "gone": null}');
  expect(describeDifferences(recorded, { 'a/b': [1, { x: 'long '.repeat(50) }] })).toEqual([
    '/__proto__: 1 was recorded, now nothing',
    expect.stringMatching(/^\/a~1b\/1: 2 was recorded, now \{"x":"long .{50,70}…$/),
    '/gone: null was recorded, now nothing',
  ]);
  const many = Array.from({ length: 100 }, (_, index) => index);
  expect(describeDifferences(many, [])).toHaveLength(10);
});

test('the replay of any run has the same events', async () => {
  const agents = await Promise.all([
    load(),
    load({ tool_protocol: 'text' }),
    load({ output_schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } }),
  ]);
  const name = fc.constantFrom('look', 'find', 'fail', 'unknown');
  const call = fc.record({ name, input: fc.record({ q: fc.oneof(fc.constantFrom('a', 'b'), fc.integer()) }) }) as fc.Arbitrary<{
    name: string;
    input: JsonObject;
  }>;
  const chunk = fc.constantFrom(
    'text ',
    'Thought: hm\n',
    'Action: look\n',
    'Action Input: {"q": "a"}\n',
    'Final Answer: done',
    '{"a": 1}',
    '{"a": "x"}',
    '***',
    ` ${secret} `,
  );
  const answer: fc.Arbitrary<ScriptedAnswer> = fc.record(
    {
      chunks: fc.array(chunk, { maxLength: 4 }),
      thoughts: fc.array(fc.constantFrom('I think', ' so'), { maxLength: 2 }),
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      retries: fc.constant([{ attempt: 1, wait_ms: 5, reason: 'busy' }]),
      error: fc.constantFrom(new LlmError('rate-limit', 'Too many.', { status: 429 }), new LlmError('context-length', 'Too long.')),
      finish_reason: fc.constantFrom('stop' as const, 'length' as const),
    },
    { requiredKeys: ['chunks'] },
  );
  const outcome = fc.constantFrom(
    { content: 'fine' },
    { content: 'again', hints: { validity_period_ms: 1000, source_quality: 'high' as const } },
    { content: 'bad', is_error: true },
    {
      content: 'doc',
      documents: [{ id: 'd', text: 't' }],
      value: { rows: [1, 2] },
      hints: { risk_factors: ['old'], estimated_impact: 0.5 },
    },
    { content: 'x'.repeat(50_000) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.nat(2),
      fc.array(answer, { maxLength: 7 }),
      fc.array(outcome, { minLength: 1, maxLength: 4 }),
      fc.array(fc.boolean()),
      async (which, script, outcomes, allowed) => {
        const agent = agents[which]!;
        let next = 0;
        const { openTools } = scriptedTools(
          { name: 'look', call: () => outcomes[next++ % outcomes.length]! },
          { name: 'find', needs_approval: true, idempotent: false, call: () => outcomes[next++ % outcomes.length]! },
          { name: 'fail', call: () => Promise.reject(new Error(`failed ${next++}`)) },
        );
        let asked = 0;
        const approve = async () => (allowed[asked++] === false ? ('deny' as const) : ('allow' as const));
        const model = scriptedModel(...script, ...Array.from({ length: 6 }, () => answers));
        const { text, events } = await record(agent, { llm: model, openTools, approve });
        expect(text).not.toContain(secret);
        const again = await replay(agent, text);
        const shown = (event: AgentEvent) => JSON.parse(JSON.stringify(event).replaceAll(secret, '*'.repeat(secret.length)));
        expect(again.events.map(shown)).toEqual(events.map(shown));
      },
    ),
    { numRuns: 150 },
  );
});
