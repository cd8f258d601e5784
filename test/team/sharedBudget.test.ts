import { expect, test } from 'vitest';
import { SharedBudget } from '../../core/agent/sharedBudget.js';
import type { Completion, LlmClient } from '../../core/llm/types.js';
import { createRunTask } from '../../core/team/createRunTask.js';
import { runOrchestration } from '../../core/team/runOrchestration.js';
import { collectRun } from '../agent/collectRun.js';
import { freezeTeams, prepareTeams } from '../support/teams.js';

const orchestration = freezeTeams({
  teams: { a: { tasks: ['x', 'y', 'z'].map((name) => ({ name, depends_on: [] })), routing: { default: null } } },
});

/** Says so many tokens, or as many as it may; tells how many calls were under way at the same time. */
function model(completion_tokens: number) {
  let running = 0;
  const seen = { most: 0, calls: 0 };
  const completion = (most = completion_tokens): Completion => ({
    id: 'answer',
    text: '{}',
    finish_reason: 'stop',
    usage: { prompt_tokens: 0, completion_tokens: Math.min(most, completion_tokens), total_tokens: 0, cached_tokens: 0 },
    model: 'gpt-4.1-mini',
    left_out: [],
    simulated: false,
    attempts: 1,
    latency_ms: 1,
  });
  const llm: LlmClient = {
    call: async ({ max_tokens }) => completion(max_tokens),
    async *stream({ max_tokens }) {
      running += 1;
      seen.calls += 1;
      seen.most = Math.max(seen.most, running);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      running -= 1;
      yield { type: 'completion', completion: completion(max_tokens) };
    },
  };
  return { llm, seen };
}

/** What the answer of a call costs that says as much as it may, in USD. */
const whole = (32_768 * 1.6) / 1_000_000;

async function run(max_cost: number, completion_tokens: number) {
  const { llm, seen } = model(completion_tokens);
  const { request, ports } = prepareTeams(orchestration, { context: { budget: { max_cost } } });
  const runTask = createRunTask({ agents: orchestration.agents, connectAgent: () => ({ llm }), ports, budget: new SharedBudget(max_cost) });
  const { result } = await collectRun(runOrchestration({ ...request, runTask }));
  const { tasks } = (result.output as { teams: { tasks: Record<string, { status: string; error: { code: string } | null }> }[] }).teams[0]!;
  return { result, seen, ends: Object.values(tasks).map(({ status, error }) => error?.code ?? status) };
}

test('tasks beside each other never spend more than the budget of the run, though each alone would have had enough', async () => {
  const enough = await run(2.5 * whole, 32_768);
  expect(enough.ends).toEqual(['completed', 'completed', 'completed']);
  expect(enough.seen.calls).toBe(3);
  expect(enough.result.metadata.estimated_cost_usd).toBeLessThanOrEqual(2.5 * whole);
  const short = await run(2.002 * whole, 32_768);
  expect(short.ends.sort()).toEqual(['budget-exceeded', 'completed', 'completed']);
  expect(short.seen.calls).toBe(2);
});

test('a budget that is enough for what they really say lets all of them go, if need be one after the other', async () => {
  const close = await run(1.5 * whole, 100);
  expect(close.ends).toEqual(['completed', 'completed', 'completed']);
  expect(close.seen).toEqual({ most: 1, calls: 3 });
  expect((await run(10 * whole, 100)).seen).toEqual({ most: 3, calls: 3 });
});
