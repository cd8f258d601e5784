import { isObject, listOf } from '../../json.js';
import { schemaBound } from '../../prompt/answerBound.js';
import type { StaticFacts } from '../../prompt/staticWorstCase.js';
import { priceToPay } from '../../prompt/worstCaseOf.js';
import { asksModel } from '../../snapshot/asksModel.js';

/** A model that an agent, or one that its plan calls, asks at an unknown price. Of one that a variable names nothing is known. */
export function unpricedIn(facts: StaticFacts, seen = new Set<string>()): string | undefined {
  const { config, llm } = facts.resolved;
  const name = config.model_name;
  if (asksModel(config) && priceToPay(llm, facts.price) === undefined && name !== undefined && !name.includes('${')) return name;
  for (const { agent } of listOf(config.execution_plan?.steps).filter(isObject)) {
    if (typeof agent !== 'string' || seen.has(agent)) continue;
    seen.add(agent);
    const called = facts.called?.(agent);
    const found = called && unpricedIn(called, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Tokens of an answer that is neither cut off nor a surprise, where the config does not set a limit. */
const usualAnswer = 4096;

/** Tokens of the answers that the worst case is counted with; undefined for an agent that follows a plan. */
export function longestAnswer({ resolved: { config }, model }: StaticFacts): number | undefined {
  const { agent_type, max_output_tokens, output_schema } = config;
  if (agent_type === 'orchestrating') return undefined;
  const most = Math.min(max_output_tokens ?? usualAnswer, model?.max_output_tokens ?? Number.POSITIVE_INFINITY);
  const bound = agent_type === 'single_shot' && output_schema ? schemaBound(output_schema, []) : undefined;
  return Math.min(most, bound ?? Number.POSITIVE_INFINITY);
}

/** A run limits each answer to what is left of its budget, so that no model's own limit counts. */
export function withUsualAnswers(facts: StaticFacts): StaticFacts {
  const { resolved, called } = facts;
  const max_output_tokens = longestAnswer(facts) ?? resolved.config.max_output_tokens ?? usualAnswer;
  return {
    ...facts,
    resolved: { ...resolved, config: { ...resolved.config, max_output_tokens } },
    called: (reference) => {
      const agent = called?.(reference);
      return agent && withUsualAnswers(agent);
    },
  };
}
