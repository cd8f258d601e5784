import type { Json, JsonObject } from '../json.js';
import type { ResolvedAgent } from './types.js';

/**
 * A setting of an agent by its path: `lookup(agent, "budget.max_cost")`, with numbers for list indexes (`input_keys.0`). Only what the snapshot has
 * frozen for this agent. Undefined if no layer gives it. Own members only, so `constructor` is a name like any other.
 */
export function lookupSetting({ resolved }: { readonly resolved: Pick<ResolvedAgent, 'config'> }, path: string): Json | undefined {
  let value: Json | undefined = resolved.config as unknown as JsonObject;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}
