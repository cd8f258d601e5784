import { loopLimits } from '../config/defaults.js';
import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { type RepeatedWorstCase, sumWorstCases, type WorstCase } from '../llm/worstCase.js';
import type { EffectiveAgent } from '../snapshot/effective.js';

/** How the parts of a plan are counted. */
export interface PlanParts<Agent> {
  readonly configOf: (agent: Agent) => Pick<EffectiveAgent, 'execution_plan' | 'agent_type' | 'budget'>;
  /** The agent that a step calls, by `name@version`; undefined if it does not exist. */
  readonly called: (reference: string) => Agent | undefined;
  /** The worst case of an agent without a plan, given the tokens of its input. */
  readonly plain: (agent: Agent, input: number) => WorstCase | undefined;
  /** The worst case of one call of an `llm` step, given the tokens of its prompt and of the agent's input. */
  readonly prompt: (agent: Agent, tokens: number, input: number) => WorstCase;
  /** Tokens of the input (or prompt) of an agent's step, given the tokens of the agent's input. */
  readonly inputOf: (agent: Agent, step: JsonObject, input: number) => number;
}

/**
 * The worst case of an agent that runs a plan: every step runs, as often as `repeat` lets it, each time with all its retries. Skills call no
 * model. Agents that call each other in a cycle are stopped by `loopLimits.nesting`, and counted down to there, each agent once per depth,
 * so that the time is linear in the size of the plan: further down, inputs are rounded up to a few lengths.
 *
 * @param input tokens of the agent's own input
 * @returns undefined if a called agent does not exist
 */
export function planWorstCase<Agent>(agent: Agent, parts: PlanParts<Agent>, input: number): WorstCase | undefined {
  const byAgent = new Map<string, WorstCase | undefined>();

  function ofCalled(reference: string, depth: number, exact: number): WorstCase | undefined {
    // A call beyond the limit fails before it calls a model.
    if (depth > loopLimits.nesting) return sumWorstCases([]);
    const bound = depth > 1 ? roundedUp(exact) : exact;
    const key = `${depth} ${bound} ${reference}`;
    if (byAgent.has(key)) return byAgent.get(key);
    const called = parts.called(reference);
    const worst = called === undefined ? undefined : ofAgent(called, depth, bound);
    byAgent.set(key, worst);
    return worst;
  }

  function ofAgent(agent: Agent, depth: number, input: number): WorstCase | undefined {
    const { agent_type, execution_plan, budget } = parts.configOf(agent);
    if (agent_type !== 'orchestrating') return parts.plain(agent, input);
    const steps: RepeatedWorstCase[] = [];
    for (const step of listOf(execution_plan?.steps)) {
      if (!isObject(step)) continue;
      const times = timesOf(step.repeat) * triesOf(step.on_error, step.retries);
      if (typeof step.llm === 'string') steps.push({ worst: parts.prompt(agent, parts.inputOf(agent, step, input), input), times });
      if (typeof step.agent !== 'string') continue;
      const worst = ofCalled(step.agent, depth + 1, parts.inputOf(agent, step, input));
      if (worst === undefined) return undefined;
      steps.push({ worst, times });
    }
    const sum = sumWorstCases(steps);
    const most = budget?.max_cost;
    return most === undefined ? sum : { ...sum, limit: Math.min(sum.limit ?? most, most) };
  }

  return ofAgent(agent, 0, input);
}

/** The next power of 1.25: few enough values that agents which call each other in a cycle are counted only a few times. */
function roundedUp(tokens: number): number {
  return tokens <= 1 ? 1 : Math.ceil(1.25 ** Math.ceil(Math.log(tokens) / Math.log(1.25) - 1e-9));
}

function timesOf(repeat: Json | undefined): number {
  return isObject(repeat) && typeof repeat.max === 'number' ? repeat.max : 1;
}

function triesOf(onError: Json | undefined, retries: Json | undefined): number {
  return onError === 'retry' ? 1 + (typeof retries === 'number' ? retries : 1) : 1;
}
