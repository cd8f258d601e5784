import { loopLimits } from '../config/defaults.js';
import type { ModelFacts, ModelPrice } from '../llm/modelTable.js';
import { isFree } from '../llm/price.js';
import { type WorstCase, worstCase } from '../llm/worstCase.js';
import type { EffectiveAgent, EffectiveLlm } from '../snapshot/effective.js';

/** The parts of an agent that determine what a run can cost. */
export interface CostFacts {
  readonly config: Pick<EffectiveAgent, 'agent_type' | 'max_iterations' | 'retry_invalid' | 'max_output_tokens' | 'budget'>;
  readonly llm: Pick<EffectiveLlm, 'provider'>;
  readonly model: ModelFacts | undefined;
  readonly price: ModelPrice | undefined;
}

/** The worst case of an agent's run; undefined for one that runs a plan (`planWorstCase`). */
export function worstCaseOf({ config, llm, model, price }: CostFacts, prompt_tokens: number): WorstCase | undefined {
  const { agent_type, max_iterations, retry_invalid = 0, max_output_tokens, budget } = config;
  const isLoop = agent_type === 'react';
  if (agent_type === 'orchestrating') return undefined;
  return worstCase({
    calls: isLoop ? max_iterations : 1 + retry_invalid,
    ...(!isLoop && { added_tokens: loopLimits.correction }),
    prompt_tokens,
    max_output_tokens: max_output_tokens ?? (isFree(llm) ? 0 : undefined),
    model,
    price: priceToPay(llm, price),
    max_cost: budget?.max_cost,
  });
}

/** Without a model there is nothing to pay. */
export function priceToPay(llm: CostFacts['llm'], price: ModelPrice | undefined): ModelPrice | undefined {
  return isFree(llm) ? { input: 0, output: 0 } : price;
}
