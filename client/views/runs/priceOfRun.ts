import type { JsonObject } from '../../../core/json.js';
import { createModelTable, type ModelPrice } from '../../../core/llm/modelTable.js';
import { estimateCost, priceOf } from '../../../core/llm/price.js';
import { numberAt, objectAt, textAt } from '../../../core/run/untrusted.js';

/** The price a run was paid at, by which each of its steps is told; undefined where today's price does not give what the run says it cost. */
export function priceOfRun(result: JsonObject): ModelPrice | undefined {
  const metadata = objectAt(result, 'metadata');
  const cost = numberAt(metadata, 'estimated_cost_usd');
  const [model, provider] = [textAt(metadata, 'model_name') ?? '', textAt(metadata, 'provider') ?? ''];
  const price = priceOf({ provider }, createModelTable().find(model, provider === '' ? undefined : provider), model);
  if (cost === null || cost === 0 || price === undefined) return undefined;
  const usage = objectAt(metadata, 'token_usage');
  const count = (name: string) => numberAt(usage, name) ?? 0;
  const today = estimateCost(
    {
      prompt_tokens: count('prompt_tokens'),
      completion_tokens: count('completion_tokens'),
      cached_tokens: count('cached_tokens'),
      cache_write_tokens: count('cache_write_tokens'),
    },
    price,
  );
  return Math.abs(today - cost) < cost * 1e-6 ? price : undefined;
}
