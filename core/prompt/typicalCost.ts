import { LlmError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { sizeOfText } from '../llm/callCost.js';
import { estimateCost, isFree } from '../llm/price.js';
import { makeAnswer } from '../llm/providers/offline/makeAnswer.js';
import { payloadOf } from '../llm/providers/offline/payload.js';
import type { EffectiveAgent } from '../snapshot/effective.js';
import type { CostFacts } from './worstCaseOf.js';

/** The usage of earlier runs of the same agent and model. */
export interface PastRuns {
  /** How many runs were considered: 1 or more. */
  readonly runs: number;
  /** Median of the tokens received. */
  readonly completion_tokens: number;
  /** USD, median. */
  readonly cost: number;
}

/** What a run is likely to cost: an estimate, whereas `WorstCase` is a bound. */
export interface TypicalCost {
  readonly usd: number;
  /** The source for the length of the answer: an answer generated from the output schema, or earlier runs. */
  readonly basis: 'schema' | 'runs';
  /** Runs that were considered; 0 for `schema`. */
  readonly runs: number;
}

/** The parts of an agent that determine what a run is likely to cost. */
export type TypicalFacts = CostFacts & { readonly config: Pick<EffectiveAgent, 'output_schema'> };

/**
 * The typical cost of a run. One call: its prompt as counted, and an answer as long as those of earlier runs, else as one generated from the output
 * schema, without thoughts. An agent with several calls: as in its earlier runs. Undefined if unknown: no price, no schema, no runs.
 */
export function typicalCost({ config, llm, price }: TypicalFacts, prompt_tokens: number, past?: PastRuns): TypicalCost | undefined {
  if (isFree(llm) || price === undefined) return undefined;
  const runs = past?.runs ?? 0;
  if (config.agent_type !== 'single_shot') return past && { usd: past.cost, basis: 'runs', runs };
  const completion_tokens = past?.completion_tokens ?? (config.output_schema && sampleTokens(config.output_schema));
  if (completion_tokens === undefined) return undefined;
  return { usd: estimateCost({ prompt_tokens, completion_tokens, cached_tokens: 0 }, price), basis: past ? 'runs' : 'schema', runs };
}

/** The last one asked for: the same agent is often measured several times in a row. */
let last: { readonly schema: string; readonly tokens: number | undefined } | undefined;

function sampleTokens(schema: JsonObject): number | undefined {
  const text = JSON.stringify(schema);
  if (last?.schema !== text) last = { schema: text, tokens: findSampleTokens(schema) };
  return last.tokens;
}

/** Tokens of an answer that the schema allows; undefined if none is found. */
function findSampleTokens(schema: JsonObject): number | undefined {
  try {
    return sizeOfText(JSON.stringify(makeAnswer(schema, payloadOf(['a few words of text'])))).likely;
  } catch (error) {
    if (error instanceof LlmError) return undefined;
    throw error;
  }
}
