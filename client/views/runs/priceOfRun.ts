import { createModelTable, type ModelPrice } from '../../../core/llm/modelTable.js';
import { estimateCost, priceOf } from '../../../core/llm/price.js';
import type { StoryEnd } from '../../../core/run/story/types.js';

/** The price a run was paid at, by which each of its steps is told; undefined where today's price does not give what the run says it cost. */
export function priceOfRun({ cost, model_name, provider, usage }: StoryEnd): ModelPrice | undefined {
  const model = model_name ?? '';
  const price = priceOf({ provider: provider ?? '' }, createModelTable().find(model, provider || undefined), model);
  if (cost === null || cost === 0 || price === undefined) return undefined;
  const { prompt_tokens, completion_tokens } = usage;
  const today = estimateCost({ ...usage, prompt_tokens: prompt_tokens ?? 0, completion_tokens: completion_tokens ?? 0 }, price);
  return Math.abs(today - cost) < cost * 1e-6 ? price : undefined;
}
