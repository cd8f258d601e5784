import type { Agent } from '../agent/types.js';
import { sumWorstCases } from '../llm/sumWorstCases.js';
import type { WorstCase } from '../llm/worstCase.js';
import { type StaticFacts, staticWorstCase } from '../prompt/staticWorstCase.js';
import { isFree } from '../prompt/worstCaseOf.js';
import { judgesOf } from './runner/judgesOf.js';
import type { PlannedCase } from './runner/plan.js';

/**
 * What asking cases can cost at most: each repeat with its judges.
 *
 * @param agents by `name@version` the agent and those that its plan calls, by the name of an orchestration all its agents
 */
export function evalWorstCase(cases: readonly PlannedCase[], agents: ReadonlyMap<string, readonly Agent[]>): WorstCase {
  const parts = cases.flatMap((one) => {
    const judges = judgesOf(one.expect.map(({ entry }) => entry));
    const asked = [worstOf(one, agents), ...judges.map((reference) => worstOfJudge(reference, agents))];
    return asked.map((worst) => ({ worst, times: one.repeats }));
  });
  return sumWorstCases(parts);
}

function worstOf({ kind, subject, version, input }: PlannedCase, agents: ReadonlyMap<string, readonly Agent[]>): WorstCase {
  const own = agents.get(version === null ? subject : `${subject}@${version}`) ?? [];
  if (own.every(({ resolved }) => isFree(resolved.llm))) return free(own.length === 0 ? 0 : 1);
  const [agent] = own;
  // How often an orchestration calls its agents is known when it has run.
  if (kind === 'orchestration' || agent === undefined) return unknown;
  return staticWorstCase({ ...factsOf(agent), payloads: [input] }) ?? unknown;
}

function worstOfJudge(reference: string, agents: ReadonlyMap<string, readonly Agent[]>): WorstCase {
  const judge = (agents.get(reference) ?? [...agents].filter(([key]) => key.startsWith(`${reference}@`)).at(-1)?.[1])?.[0];
  if (judge === undefined) return unknown;
  return isFree(judge.resolved.llm) ? free(1) : (staticWorstCase(factsOf(judge)) ?? unknown);
}

function factsOf(agent: Agent): StaticFacts {
  return {
    resolved: agent.resolved,
    model: agent.model,
    price: agent.price,
    called: (reference) => {
      const called = agent.agents?.get(reference);
      return called && factsOf(called);
    },
  };
}

const unknown: WorstCase = { calls: 1, prompt_tokens: null, completion_tokens: null, cost: null, unknown: 'output', limit: null };

function free(calls: number): WorstCase {
  return { calls, prompt_tokens: null, completion_tokens: null, cost: 0, unknown: null, limit: 0 };
}
