import type { LoadedAgent } from '../../agent/loadAgent.js';
import type { JsonObject } from '../../json.js';
import type { ModelTable } from '../../llm/modelTable.js';
import { sumWorstCases } from '../../llm/sumWorstCases.js';
import type { WorstCase } from '../../llm/worstCase.js';
import { cautiousTokens } from '../../prompt/cautiousTokens.js';
import { assumedInput, type StaticFacts, staticWorstCase } from '../../prompt/staticWorstCase.js';
import { createFacts, orchestrationBounds } from '../../rules/support/orchestrationBounds.js';
import type { LoadedOrchestration } from '../../team/loadOrchestration.js';

type Loaded = LoadedAgent | LoadedOrchestration;

/** What one run of a case and its judges can use at most. Undefined where it makes no call: what it names cannot be loaded. */
export function worstOfCase(loaded: Loaded, input: JsonObject, judges: readonly LoadedAgent[], models: ModelTable): WorstCase | undefined {
  const own = worstOf(loaded, input, models);
  if (own === undefined) return undefined;
  const answer = own.completion_tokens === null ? assumedInput : own.completion_tokens / Math.max(1, own.calls);
  // The answer is in it as its text, and as the value that was read from it.
  const tokens = 2 * answer + 2 * cautiousTokens(JSON.stringify(input)) + assumedInput;
  const parts = judges.flatMap((judge) => staticWorstCase({ ...factsOf(judge, models), input: { tokens, isAssumed: false } }) ?? []);
  return sumWorstCases([own, ...parts].map((worst) => ({ worst, times: 1 })));
}

function worstOf(loaded: Loaded, input: JsonObject, models: ModelTable): WorstCase | undefined {
  if ('agent' in loaded) return staticWorstCase({ ...factsOf(loaded, models), payloads: [input] });
  return orchestrationBounds({ resolved: loaded.resolved, models, assumed_input: cautiousTokens(JSON.stringify(input)) })?.run;
}

function factsOf({ agent, called }: LoadedAgent, models: ModelTable): StaticFacts {
  return createFacts(called, models)(agent.resolved);
}
