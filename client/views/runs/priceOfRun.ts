import type { JsonObject } from '../../../core/json.js';
import { createModelTable, type ModelPrice } from '../../../core/llm/modelTable.js';
import { estimateCost } from '../../../core/llm/price.js';
import { numberAt, objectAt, textAt } from '../../../core/run/untrusted.js';

/** The price a run was paid at, by which each of its steps is told; undefined where today's price does not give what the run says it cost. */
export function priceOfRun(result: JsonObject): ModelPrice | undefined {
  const metadata = objectAt(result, 'metadata');
  const cost = numberAt(metadata, 'estimated_cost_usd');
  const price = createModelTable().find(textAt(metadata, 'model_name') ?? '', textAt(metadata, 'provider') ?? undefined)?.price;
  if (cost === null || cost === 0 || price === undefined) return undefined;
  const usage = objectAt(metadata, 'token_usage');
  const [prompt_tokens = 0, completion_tokens = 0, cached_tokens = 0] = ['prompt_tokens', 'completion_tokens', 'cached_tokens'].map(
    (name) => numberAt(usage, name) ?? 0,
  );
  const today = estimateCost({ prompt_tokens, completion_tokens, cached_tokens }, price);
  return Math.abs(today - cost) < cost * 1e-6 ? price : undefined;
}
