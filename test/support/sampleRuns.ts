import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import { runAgent } from '../../core/agent/runAgent.js';
import type { RunRequest } from '../../core/agent/types.js';
import { LlmError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import type { StoredRun } from '../../core/run/readRuns.js';
import { summarizeRun } from '../../core/run/runSummary.js';
import { collectRun } from '../agent/collectRun.js';
import { planRun } from '../agent/plan/planRun.js';
import { asks, good, prepareReact, reactRun, says } from '../agent/react/reactRun.js';
import { sampleProject } from '../agent/sampleProject.js';
import { type ScriptedAnswer, scriptedModel } from './scriptedModel.js';
import { teamRun } from './teams.js';

/** A run that was made with scripted models and a clock that stands still: the same bytes each time. */
export interface SampleRun {
  readonly kind: 'agent' | 'orchestration';
  /** As they are read back from a file. */
  readonly events: readonly JsonObject[];
  /** As its folder would have it. */
  readonly stored: StoredRun;
}

type Collected = { readonly events: readonly AgentEvent[]; readonly result: RunResult };

interface SingleOptions extends Partial<RunRequest> {
  /** The run is cancelled once an event of this type has come. */
  readonly stopAt?: AgentEvent['type'];
}

async function single(
  script: readonly ScriptedAnswer[],
  { stopAt, ...options }: SingleOptions = {},
  fields: JsonObject = {},
): Promise<Collected> {
  const { factory, ports } = sampleProject(fields);
  const agent = await factory.load('Labels', 'v1');
  const stop = new AbortController();
  const llm = scriptedModel(...script);
  const run = runAgent({ agent, payload: { title: 'It crashes' }, llm, ports, signal: stop.signal, ...options });
  return collectRun(whenever(run, stopAt, () => stop.abort()));
}

async function* whenever(run: AsyncIterable<AgentEvent>, type: string | undefined, act: () => void): AsyncGenerator<AgentEvent> {
  for await (const event of run) {
    yield event;
    if (event.type === type) act();
  }
}

const usage = {
  prompt_tokens: 1200,
  completion_tokens: 80,
  total_tokens: 1280,
  cached_tokens: 1000,
  cache_write_tokens: 64,
  reasoning_tokens: 12,
};
const markdown = '# Findings\n\n- **one** `code`\n- two\n\nSee [the guide](https://example.com/guide).\n';

/** Two teams, the first with tasks beside each other; the second runs twice with a changed context. */
const rounds: JsonObject = {
  max_recursion_depth: 2,
  context: { round: 0 },
  teams: {
    a: {
      tasks: [{ name: 'x' }, { name: 'left', depends_on: ['x'] }, { name: 'right', depends_on: ['x'] }],
      routing: { default: 'b' },
    },
    b: {
      tasks: [{ name: 'y' }],
      routing: {
        rules: [{ condition: { context_field: 'round', operator: 'equals', value: 0 }, next_team: 'b', context_updates: { round: 1 } }],
        default: null,
      },
    },
  },
};
const oneTeam: JsonObject = {
  context: { text: 'Good day' },
  teams: { a: { tasks: [{ name: 'x', required: true }, { name: 'y' }], routing: { default: null } } },
};

/** Calls that fail, that are not there, and one that gives another result when it is made again. */
function withTools(): Promise<Collected> {
  let results = 0;
  return reactRun({
    answers: [
      asks('find', { q: 'crash', list: [1], long: 'x'.repeat(200) }, { chunks: ['I look ', 'first.'], thoughts: ['Where?'] }),
      {
        chunks: [],
        calls: [
          { name: 'find', input: { q: 'again' } },
          { name: 'count', input: { q: 'y' } },
          { name: 'nothing', input: {} },
        ],
      },
      asks('find', { q: 'again' }),
      says('{"label": "wish", "reason": "r"}', { retries: [{ attempt: 1, wait_ms: 20, reason: 'network' }] }),
      says(good, { thoughts: ['Now I know.'] }),
    ],
    tools: [
      {
        name: 'find',
        parameters: { type: 'object' },
        call: (input) => ({
          content: input.q === 'crash' ? `Found it.\n${'line\n'.repeat(900)}` : `Result ${results++}`,
          documents: [
            { id: 'docs/guide.md', title: 'Guide', text: 'Install it.' },
            { id: 'd2', uri: 'https://example.com/d2' },
          ],
          hints: { source_quality: 'medium', risk_factors: ['old data'], estimated_impact: 0.5, validity_period_ms: 0 },
        }),
      },
      { name: 'count', call: () => ({ content: 'No such thing.', is_error: true }) },
    ],
  });
}

const runs: Readonly<Record<string, () => Promise<Collected>>> = {
  streamed: () =>
    single([{ chunks: ['{"label": ', '"bug", "reason": "it cr', 'ashes\\n\\u001b[31mred"}'], thoughts: ['It is ', 'a crash.'], usage }]),
  called: () => single([says(good)], { delivery: 'call' }),
  repaired: () => single([says('Here:\n```json\n{"label": "bug"}\n```')]),
  retried: () =>
    single([
      {
        ...says(good),
        retries: [
          { attempt: 1, wait_ms: 500, reason: 'rate-limit' },
          { attempt: 2, wait_ms: 1000, reason: 'server' },
        ],
      },
    ]),
  corrected: () => single([says('{"label": "wish", "reason": "r"}'), says(good)], {}, { retry_invalid: 1 }),
  refused: () => single([says('{"label": "wish", "reason": 5}')]),
  failed: () =>
    single([{ chunks: ['{"label"'], error: new LlmError('auth', 'The provider refused the key (401). Check api_key.', { status: 401 }) }]),
  cancelled: () => single([{ chunks: ['{"label": "bu'], thoughts: ['Hm'], hangs: true }], { stopAt: 'chunk' }),
  budget: () => single([{ chunks: ['{"label": "bug", "reas'], finish_reason: 'length' }], {}, { budget: { max_cost: 0.05 } }),
  overBudget: () => single([], {}, { budget: { max_cost: 0.0005 } }),
  text: () => single([says(markdown)], {}, { output_schema: null, enums: null, defaults: null, mode: null }),
  tools: () => withTools(),
  textTools: () =>
    reactRun({
      answers: [
        says('Thought: I should look.\nAction: find\nAction Input: {"q": "x"}'),
        says('what'),
        says('Thought: I know it.\nFinal Answer: {"label": "bug", "reason": "it crashes"}'),
      ],
      agent: { tool_protocol: 'text' },
      tools: [{ name: 'find' }],
    }),
  circle: () => reactRun({ answers: [1, 2, 3, 4, 5, 6, 7, 8].map(() => asks('find')), tools: [{ name: 'find' }] }),
  toolCancelled: async () => {
    const stop = new AbortController();
    const { run } = await prepareReact({
      answers: [asks('find')],
      tools: [{ name: 'find', call: () => new Promise(() => undefined) }],
      options: { signal: stop.signal },
    });
    return collectRun(whenever(run, 'tool_call', () => stop.abort()));
  },
  plan: () =>
    planRun({
      plan: {
        steps: [
          { name: 'search', skill: 'find', input: { q: '{{input.title}}' } },
          { name: 'labels', agent: 'Labels@v1', input: { title: '{{steps.search.output}}' } },
          { name: 'reply', llm: 'Answer the {{steps.labels.output.label}} {{input.title}}.' },
          {
            name: 'never',
            skill: 'find',
            input: { q: 'x' },
            when: { task: 'labels', output_field: 'label', operator: 'equals', value: 'feature' },
          },
        ],
        output: { label: '{{steps.labels.output.label}}', text: '{{steps.reply.output}}' },
      },
      tools: [{ name: 'find', call: () => ({ content: 'found', documents: [{ id: 'd1' }], hints: { source_quality: 'high' } }) }],
      models: { Labels: [says('{"label": "bug"}')] },
      answers: [says('Thank you.')],
    }),
  teams: () =>
    collectRun(
      teamRun(rounds, {
        script: { 'a/x': [{ ...says('{"words": "x"}'), thoughts: ['Hm.'], retries: [{ attempt: 1, wait_ms: 250, reason: 'server' }] }] },
      }),
    ),
  teamFailed: () =>
    collectRun(
      teamRun(oneTeam, {
        script: { 'a/x': [{ chunks: ['{'], error: new LlmError('server', 'The model is away.') }] },
      }),
    ),
  teamRepaired: () =>
    collectRun(
      teamRun(
        { teams: { a: { tasks: [{ name: 'x' }], routing: { default: null } } } },
        { script: { 'a/x': [says('```json\n{"w": 1}\n```')] } },
      ),
    ),
  teamTools: async () => {
    const team = await collectRun(teamRun({ teams: { a: { tasks: [{ name: 'x' }], routing: { default: null } } } }));
    const agent = await withTools();
    const events = team.events.flatMap((event): AgentEvent[] => {
      if (event.type === 'task_end') return [{ ...event, result: agent.result }];
      if (event.type === 'task_start')
        return [event, ...agent.events.slice(1, -1).map((each) => ({ ...each, team: 'a', task: 'x' }) as AgentEvent)];
      return 'step' in event || event.type === 'chunk' ? [] : [event];
    });
    return { events: events.map((event, seq) => ({ ...event, seq })), result: team.result };
  },
  teamNoRoute: () =>
    collectRun(
      teamRun({
        teams: {
          a: {
            tasks: [{ name: 'x' }],
            routing: { rules: [{ condition: { context_field: 'missing', operator: 'equals', value: 1 }, next_team: null }] },
          },
        },
      }),
    ),
  teamResumed: async () => {
    const { events, result } = await collectRun(teamRun(rounds));
    const [start, ...rest] = events;
    const cut = events.slice(0, 9);
    const resumed = [{ ...start, resumed: 3 } as AgentEvent, ...rest];
    return { events: [...cut, ...resumed].map((event, seq) => ({ ...event, seq })), result };
  },
  teamCut: async () => {
    const { events, result } = await collectRun(teamRun(rounds));
    return { events: events.slice(0, 12), result };
  },
};

/** What a file may hold that no run of today writes. */
const torn: readonly JsonObject[] = [
  { type: 'tool_result', seq: 4, tool_results: [{ id: 'lost', name: 'search', output: { a: 1 }, is_error: true }, 7] },
  { type: 'tool_call', seq: 5, team: 't', task: 'k', tool_calls: [{ id: '1', name: 'search', input: { q: 'x' } }, { id: 2 }] },
  { type: 'step_end', seq: 6, step: 'x', thought: 3, observation: 'told', usage: { total_tokens: 'many' } },
  { type: 'made_up', seq: 7, team: 't', some_field: 'u', rule: 0 },
  { type: 'task_end', seq: 8, team: 't', task: 'k', status: 'odd', result: { error: { code: 5, message: 'no' } } },
  { type: 'route', seq: 9, team: 't', rule: 1, next_team: 'u', notes: ['n', 5], context_updates: { a: 1 } },
  {
    type: 'final',
    seq: 10,
    final: true,
    result: { status: 'odd', error: { code: 'llm', message: 'm' }, metadata: { token_usage: { prompt_tokens: 5 } } },
  },
];

/** Every sample, by name. */
export async function sampleRuns(): Promise<ReadonlyMap<string, SampleRun>> {
  const made = new Map<string, SampleRun>();
  for (const [name, run] of Object.entries(runs)) {
    const { events, result } = await run().catch((error: unknown) => {
      throw new Error(`The sample ${name} could not be made`, { cause: error });
    });
    made.set(name, toSample(events as unknown as readonly JsonObject[], result as unknown as JsonObject));
  }
  made.set('torn', toSample(torn, torn.at(-1)?.result as JsonObject));
  return made;
}

function toSample(told: readonly JsonObject[], ended: JsonObject): SampleRun {
  const events = withDurations(told) as readonly JsonObject[];
  const last = events.at(-1);
  const isEnded = last?.type === 'final';
  const result = isEnded ? (withDurations(ended) as JsonObject) : null;
  const kind = events.some(({ type }) => type === 'team_start' || type === 'route') ? 'orchestration' : 'agent';
  const run: JsonObject = {
    kind,
    name: 'Labels',
    version: kind === 'agent' ? 'v1' : null,
    environment: 'test',
    llm_id: 'real',
    input: { title: 'It crashes', n: 5 },
    context: { timestamp: '2026-01-02T03:04:05.000Z', case: 'crash', session_id: 'session-1' },
    ...(kind === 'orchestration' && { journals: ['journal.jsonl'] }),
  };
  const run_id = String(events[0]?.run_id ?? '1'.repeat(32));
  const summary = summarizeRun(run_id, { value: run }, result === null ? { missing: true } : { value: result });
  return { kind, events, stored: { summary, run, result, events, problems: summary.problem === null ? [] : [summary.problem] } };
}

/** The clock stood still. */
function withDurations(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, part) => (key === 'execution_time_ms' && part === 0 ? 1234 : part));
}
