import { describe, expect, test } from 'vitest';
import { loopLimits } from '../../core/config/defaults.js';
import type { Json, JsonObject } from '../../core/json.js';
import { type WorstCase, worstCase } from '../../core/llm/worstCase.js';
import { type PlanParts, planWorstCase } from '../../core/prompt/planWorstCase.js';

/** An agent of these tests: a number of calls, or the steps of a plan. */
type Agent = number | { readonly steps: readonly JsonObject[]; readonly max_cost?: number };

const price = { input: 0, output: 1_000_000 };
/** `calls` calls of 1 USD each. */
const plain = (calls: number): WorstCase => worstCase({ calls, prompt_tokens: 0, max_output_tokens: 1, model: undefined, price });

function worstOf(agent: Agent, others: { readonly [name: string]: Agent } = {}, more: Partial<PlanParts<Agent>> = {}) {
  const parts: PlanParts<Agent> = {
    configOf: (one) =>
      typeof one === 'number'
        ? { agent_type: 'single_shot' }
        : {
            agent_type: 'orchestrating',
            execution_plan: { steps: one.steps as readonly Json[] },
            ...(one.max_cost !== undefined && { budget: { max_cost: one.max_cost } }),
          },
    called: (name) => (Object.hasOwn(others, name) ? others[name] : undefined),
    plain: (one) => plain(one as number),
    prompt: () => plain(1),
    inputOf: (_, step) => (typeof step.tokens === 'number' ? step.tokens : 0),
  };
  return planWorstCase(agent, { ...parts, ...more }, 10);
}

const callsOf = (...args: Parameters<typeof worstOf>) => worstOf(...args)?.calls;

describe('the worst case of a plan', () => {
  test('is the sum of its steps: prompts ask once, agents as often as they do, skills never', () => {
    const steps = [
      { name: 'a', llm: 'x' },
      { name: 'b', agent: 'B@v1' },
      { name: 'c', skill: 's' },
    ];
    expect(callsOf({ steps }, { 'B@v1': 7 })).toBe(8);
    expect(worstOf({ steps }, { 'B@v1': 7 })?.cost).toBe(8);
  });

  test('counts every repetition and every retry', () => {
    const until = { step: 'a', operator: 'exists' };
    expect(callsOf({ steps: [{ name: 'a', llm: 'x', repeat: { until, max: 4 } }] })).toBe(4);
    expect(callsOf({ steps: [{ name: 'a', llm: 'x', on_error: 'retry' }] })).toBe(2);
    expect(callsOf({ steps: [{ name: 'a', llm: 'x', on_error: 'retry', retries: 5, repeat: { until, max: 4 } }] })).toBe(24);
    expect(callsOf({ steps: [{ name: 'a', llm: 'x', on_error: 'continue', retries: 5 }] })).toBe(1);
  });

  test('goes into plans that call plans', () => {
    const inner = {
      steps: [
        { name: 'a', llm: 'x' },
        { name: 'b', agent: 'C@v1' },
      ],
    };
    expect(callsOf({ steps: [{ name: 'a', agent: 'B@v1', repeat: { max: 3 } }] }, { 'B@v1': inner, 'C@v1': 2 })).toBe(9);
  });

  test('ends where agents that call each other in a circle are ended', () => {
    const circle = {
      steps: [
        { name: 'ask', llm: 'x' },
        { name: 'again', agent: 'A@v1' },
      ],
    };
    expect(callsOf(circle, { 'A@v1': circle })).toBe(loopLimits.nesting + 1);
    const twice = {
      steps: [
        { name: 'ask', llm: 'x' },
        { name: 'one', agent: 'A@v1' },
        { name: 'two', agent: 'A@v1' },
      ],
    };
    expect(callsOf(twice, { 'A@v1': twice })).toBe(2 ** (loopLimits.nesting + 1) - 1);
  });

  test('is not known when an agent is not there', () => {
    expect(worstOf({ steps: [{ name: 'a', agent: 'B@v1' }] })).toBeUndefined();
  });

  test('is limited by the budget of the agent whose plan it is, and by those of the agents it calls', () => {
    const called = { steps: [{ name: 'a', llm: 'x', repeat: { max: 10 } }], max_cost: 3 };
    const agent = { steps: [{ name: 'a', agent: 'B@v1', repeat: { max: 2 } }] };
    expect(worstOf(agent, { 'B@v1': called })).toMatchObject({ calls: 20, cost: 20, limit: 6 });
    expect(worstOf({ ...agent, max_cost: 5 }, { 'B@v1': called })).toMatchObject({ cost: 20, limit: 5 });
  });

  test('takes what is not a plan for one without steps', () => {
    for (const steps of [[], [null], [3], [{ name: 'a' }]]) expect(callsOf({ steps: steps as unknown as readonly JsonObject[] })).toBe(0);
  });

  test('hands each step its own input, and rounds it up further down only', () => {
    const seen: number[] = [];
    const count = (one: Agent, input: number) => {
      seen.push(input);
      return plain(one as number);
    };
    const inner = { steps: [{ name: 'c', agent: 'C@v1', tokens: 1000 }] };
    const steps = [
      { name: 'a', agent: 'B@v1', tokens: 1001 },
      { name: 'b', agent: 'I@v1', tokens: 3 },
    ];
    expect(worstOf({ steps }, { 'B@v1': 1, 'I@v1': inner, 'C@v1': 1 }, { plain: count })?.calls).toBe(2);
    expect(seen[0]).toBe(1001);
    expect(seen[1]).toBeGreaterThanOrEqual(1000);
    expect(seen[1]).toBeLessThanOrEqual(1250);
  });

  test('of agents that call each other in a circle with ever longer inputs takes no longer for it', () => {
    const steps = Array.from({ length: 8 }, (_, index) => ({ name: `s${index}`, agent: 'A@v1', grows: index + 1 }));
    const inputOf = (_: Agent, step: JsonObject, input: number) => input * Number(step.grows) + 1;
    let calls = 0;
    const others = { 'A@v1': { steps } };
    const counted: PlanParts<Agent>['inputOf'] = (agent, step, input) => {
      calls += 1;
      return inputOf(agent, step, input);
    };
    expect(worstOf({ steps }, others, { inputOf: counted })?.calls).toBe(0);
    expect(calls).toBeLessThan(20_000);
  });
});
