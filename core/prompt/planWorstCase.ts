import { loopLimits } from '../config/defaults.js';
import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { type RepeatedWorstCase, sumWorstCases, type WorstCase } from '../llm/worstCase.js';
import type { EffectiveAgent } from '../snapshot/effective.js';

/** How the parts of a plan are counted. */
export interface PlanParts<Agent> {
  readonly configOf: (agent: Agent) => Pick<EffectiveAgent, 'execution_plan' | 'agent_type' | 'budget'>;
  /** The agent that a step calls, by `name@version`; undefined when it is not there. */
  readonly called: (reference: string) => Agent | undefined;
  /** Of an agent that follows no plan and gets an input of so many tokens. */
  readonly plain: (agent: Agent, input: number) => WorstCase | undefined;
  /** Of one call of an `llm` step, whose prompt has so many tokens, to the model of an agent that got an input of so many. */
  readonly prompt: (agent: Agent, tokens: number, input: number) => WorstCase;
  /** Tokens of what a step of an agent gets, or of its prompt, where the agent got an input of so many. */
  readonly inputOf: (agent: Agent, step: JsonObject, input: number) => number;
}

/**
 * The worst case of an agent that runs a plan: every step runs, as often as `repeat` lets it, each time with all its retries. Skills call no
 * model. Agents that call each other in a circle are ended by `loopLimits.nesting`, and counted down to there; each agent once for each depth,
 * so that a plan costs no more time than it is long: further down, inputs are rounded up to a few lengths.
 *
 * @param input tokens of the agent's own input
 * @returns undefined when an agent that is called is not there
 */
export function planWorstCase<Agent>(agent: Agent, parts: PlanParts<Agent>, input: number): WorstCase | undefined {
  const byAgent = new Map<string, WorstCase | undefined>();

  function ofCalled(reference: string, depth: number, exact: number): WorstCase | undefined {
    // A call beyond the limit fails before it asks a model.
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

/** The next power of 1.25: few enough that agents which call each other in a circle are counted few times. */
function roundedUp(tokens: number): number {
  return tokens <= 1 ? 1 : Math.ceil(1.25 ** Math.ceil(Math.log(tokens) / Math.log(1.25) - 1e-9));
}

function timesOf(repeat: Json | undefined): number {
  return isObject(repeat) && typeof repeat.max === 'number' ? repeat.max : 1;
}

function triesOf(onError: Json | undefined, retries: Json | undefined): number {
  return onError === 'retry' ? 1 + (typeof retries === 'number' ? retries : 1) : 1;
}
