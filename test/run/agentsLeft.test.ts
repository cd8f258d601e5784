import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { agentsLeft } from '../../core/run/agentsLeft.js';
import { freezeTeams } from '../support/teams.js';

const team = (tasks: readonly string[], ...next: (string | null)[]): JsonObject => ({
  tasks: tasks.map((name) => ({ name, ...(name === 'asks' && { agent: 'Planner@v1' }) })),
  routing: {
    rules: next.slice(1).map((next_team) => ({ condition: { task: tasks[0] ?? '', status: 'success' }, next_team })),
    default: next[0] ?? null,
  },
});
const plan = {
  agent_name: 'Planner',
  version: 'v1',
  agent_type: 'orchestrating',
  execution_plan: { steps: [{ name: 'one', agent: 'Helper@v1', input: {} }], output: 'x' },
};
const helper = {
  agent_name: 'Helper',
  version: 'v1',
  mode: 'Writer',
  system_text: 's',
  purpose_text: 'p',
  output_schema: { type: 'object' },
  model_name: 'gpt-4.1-mini',
};
const orchestration = freezeTeams(
  { teams: { a: team(['x', 'y'], 'b'), b: team(['z', 'asks'], null, 'c', 'b2'), b2: team(['q'], 'b'), c: team(['last'], null) } },
  { 'agents/Planner/v1': plan, 'agents/Helper/v1': helper },
);

/** Instances, as they stand in the snapshot. */
function left(...finished: string[]): string[] {
  const found = agentsLeft(orchestration, new Set(finished));
  return [...orchestration.agents].flatMap(([instance, agent]) => (found.includes(agent) ? [instance] : [])).sort();
}

test('a run of which nothing was kept may call them all', () => {
  expect(left()).toEqual(['Helper@v1', 'a/x', 'a/y', 'b/asks', 'b/z', 'b2/q', 'c/last']);
});

test('a task that is done, in a team nothing leads back to, is called no more; one that was under way is', () => {
  expect(left('1/a/x/result', '1/a/x/llm/1', '1/a/y/llm/1')).toEqual(['Helper@v1', 'a/y', 'b/asks', 'b/z', 'b2/q', 'c/last']);
});

test('what routing may lead back to may be called again, done or not', () => {
  expect(left('1/a/x/result', '1/a/y/result', '2/b/z/result', '2/b/asks/result')).toEqual(['Helper@v1', 'b/asks', 'b/z', 'b2/q', 'c/last']);
});

test('the last execution counts, by its number', () => {
  expect(left('10/c/last/llm/1', '9/b/z/result', '2/b/z/result')).toEqual(['c/last']);
  expect(left('10/c/last/result', '9/b/z/result')).toEqual([]);
});
