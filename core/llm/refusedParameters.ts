import { isObject, type JsonObject } from '../json.js';
import type { ModelFacts } from './modelTable.js';

/**
 * Config names of the parameters a model refuses, given the llm profile's `options`: some models accept them with reasoning
 * switched off. 1 is the default of `temperature` and `top_p` and changes nothing, so it need not be reported.
 */
export function refusedParameters(facts: ModelFacts | undefined, options?: JsonObject): readonly string[] {
  if (facts === undefined) return [];
  const { unsupported, supported_with_effort: effort } = facts;
  const reasoning = isObject(options?.reasoning) ? options.reasoning.effort : undefined;
  return effort !== undefined && (options?.reasoning_effort ?? reasoning) === effort ? [] : unsupported;
}
