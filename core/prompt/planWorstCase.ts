import { loopLimits } from '../config/loopLimits.js';
import { isObject, type Json, listOf } from '../json.js';
import { type RepeatedWorstCase, sumWorstCases } from '../llm/sumWorstCases.js';
import type { WorstCase } from '../llm/worstCase.js';
import type { EffectiveAgent } from '../snapshot/effective.js';

/** How the parts of a plan are counted. */
export interface PlanParts<Agent> {
  readonly configOf: (agent: Agent) => Pick<EffectiveAgent, 'execution_plan' | 'agent_type' | 'budget'>;
  /** The agent that a step calls, by `name@version`; undefined when it is not there. */
  readonly called: (reference: string) => Agent | undefined;
  /** Of an agent that follows no plan. */
  readonly plain: (agent: Agent) => WorstCase | undefined;
  /** Of one call of an `llm` step to the agent's own model. */
  readonly prompt: (agent: Agent, text: string) => WorstCase;
}

/**
 * The worst case of an agent that runs a plan: every step runs, as often as `repeat` lets it, each time with all its retries. Skills call no
 * model. Agents that call each other in a circle are ended by `loopLimits.nesting`, and counted down to there; each agent once for each depth,
 * so that a plan costs no more time than it is long.
 *
 * @returns undefined when an agent that is called is not there
 */
export function planWorstCase<Agent>(agent: Agent, parts: PlanParts<Agent>): WorstCase | undefined {
  const known = new Map<string, WorstCase | undefined>();

  function ofCalled(reference: string, depth: number): WorstCase | undefined {
    const key = `${depth} ${reference}`;
    if (known.has(key)) return known.get(key);
    const called = parts.called(reference);
    const worst = called === undefined ? undefined : ofAgent(called, depth);
    known.set(key, worst);
    return worst;
  }

  function ofAgent(one: Agent, depth: number): WorstCase | undefined {
    // A call beyond the limit fails before it asks a model.
    if (depth > loopLimits.nesting) return sumWorstCases([]);
    const { agent_type, execution_plan, budget } = parts.configOf(one);
    if (agent_type !== 'orchestrating') return parts.plain(one);
    const steps: RepeatedWorstCase[] = [];
    for (const step of listOf(execution_plan?.steps)) {
      if (!isObject(step)) continue;
      const times = timesOf(step.repeat) * triesOf(step.on_error, step.retries);
      if (typeof step.llm === 'string') steps.push({ worst: parts.prompt(one, step.llm), times });
      if (typeof step.agent !== 'string') continue;
      const worst = ofCalled(step.agent, depth + 1);
      if (worst === undefined) return undefined;
      steps.push({ worst, times });
    }
    const sum = sumWorstCases(steps);
    const most = budget?.max_cost;
    return most === undefined ? sum : { ...sum, limit: Math.min(sum.limit ?? most, most) };
  }

  return ofAgent(agent, 0);
}

function timesOf(repeat: Json | undefined): number {
  return isObject(repeat) && typeof repeat.max === 'number' ? repeat.max : 1;
}

function triesOf(onError: Json | undefined, retries: Json | undefined): number {
  return onError === 'retry' ? 1 + (typeof retries === 'number' ? retries : 1) : 1;
}
