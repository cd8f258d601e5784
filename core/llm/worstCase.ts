import { roundedUsd, usdBoundText } from '../amounts.js';
import { loopLimits } from '../config/defaults.js';
import { inEnglish, type Translate } from '../words.js';
import type { ModelFacts, ModelPrice } from './modelTable.js';
import { mostCost } from './price.js';
import { findProviderFacts } from './providers/providerFacts.js';
import { countText } from './tokenText.js';

export interface WorstCaseRequest {
  /** Most model calls: 1, or the iterations of a loop. */
  readonly calls: number;
  /** Tokens of the first request, tools included. */
  readonly prompt_tokens: number;
  /** The configured limit of an answer; undefined: as many as the model can write. */
  readonly max_output_tokens: number | undefined;
  readonly model: ModelFacts | undefined;
  readonly price: ModelPrice | undefined;
  /** Tokens that each further call adds besides the answer before it. Default: the tool results, `loopLimits.observation`. */
  readonly added_tokens?: number | undefined;
  /** USD: no call is started that could exceed it. */
  readonly max_cost?: number | undefined;
}

/** The most a run can use, computed before it starts. */
export interface WorstCase {
  readonly calls: number;
  /** Sum over all calls. Null when the length of an answer is unknown. */
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  /** USD, without the budget. Null when unknown: see `unknown`. */
  readonly cost: number | null;
  /** Why `cost` is null. */
  readonly unknown: 'price' | 'output' | null;
  /** USD: `cost`, or the budget where that ends the run earlier. Null when neither is known. */
  readonly limit: number | null;
}

/**
 * The worst case of a run. Each call of a loop repeats the previous request, its answer and its tool results, of which the
 * loop shows `loopLimits.observation` characters a turn, each counted as one token, more than ordinary text of any script needs. No
 * request is longer than the model's window. Every token is priced as if nothing came from a cache and all of it were written to one.
 */
export function worstCase({
  calls,
  prompt_tokens,
  max_output_tokens,
  model,
  price,
  added_tokens = loopLimits.observation,
  max_cost,
}: WorstCaseRequest): WorstCase {
  const output = Math.min(max_output_tokens ?? Number.POSITIVE_INFINITY, model?.max_output_tokens ?? Number.POSITIVE_INFINITY);
  const limit = max_cost ?? null;
  if (calls > 1 && !Number.isFinite(output)) {
    return { calls, prompt_tokens: null, completion_tokens: null, cost: null, unknown: 'output', limit };
  }
  const most = longestRequest(model, output);
  const sent = sumOfRequests(calls, Math.min(prompt_tokens, most), Number.isFinite(output) ? output + added_tokens : 0, most);
  if (!Number.isFinite(output)) return { calls, prompt_tokens: sent, completion_tokens: null, cost: null, unknown: 'output', limit };
  const completion_tokens = calls * output;
  if (price === undefined) return { calls, prompt_tokens: sent, completion_tokens, cost: null, unknown: 'price', limit };
  const cost = mostCost({ prompt_tokens: sent, completion_tokens }, price);
  return { calls, prompt_tokens: sent, completion_tokens, cost, unknown: null, limit: Math.min(cost, max_cost ?? cost) };
}

/** `at most 12 calls, 0.43 USD`. Amounts are rounded up. @param language BCP 47, of `t` */
export function worstCaseWords(worst: WorstCase, t: Translate = inEnglish, language = 'en'): string {
  return t('at most {0}', callsWords(worst, t, language));
}

/** `12 calls, 0.43 USD`. */
export function callsWords({ calls, cost, unknown, limit }: WorstCase, t: Translate, language: string): string {
  const most = calls === 1 ? t('1 call') : t('{0} calls', countText(calls, language));
  if (limit !== null && (cost === null || limit < cost)) return `${most}, ${t('{0} (budget)', usdBoundText(limit, language))}`;
  if (cost !== null) return `${most}, ${usdBoundText(cost, language)}`;
  return `${most}, ${unknown === 'price' ? t('price of the model unknown') : t('length of an answer unknown')}`;
}

function longestRequest(model: ModelFacts | undefined, output: number): number {
  const window = model?.context_window;
  if (window === undefined) return Number.POSITIVE_INFINITY;
  if (model !== undefined && findProviderFacts(model.provider)?.windowIsInputOnly) return window;
  return Math.max(0, window - (Number.isFinite(output) ? output : 0));
}

/** The sum of `first` and then `more` on top each time, none above `most`. In constant time: a config may have any number of calls. */
function sumOfRequests(calls: number, first: number, more: number, most: number): number {
  const growing = more === 0 ? calls : Math.min(calls, Math.floor((most - first) / more) + 1);
  return growing * first + (more * growing * (growing - 1)) / 2 + (calls > growing ? (calls - growing) * most : 0);
}

/** A worst case and how often it may occur. */
export interface RepeatedWorstCase {
  readonly worst: WorstCase;
  /** 0 or more. */
  readonly times: number;
}

/** The worst case of several things that may all happen. What is unknown for one is unknown for the sum; what happens 0 times is left out. */
export function sumWorstCases(parts: readonly RepeatedWorstCase[]): WorstCase {
  const happening = parts.filter(({ times }) => times > 0);
  const sum = (of: (worst: WorstCase) => number | null): number | null => {
    let total = 0;
    for (const { worst, times } of happening) {
      const amount = of(worst);
      if (amount === null) return null;
      total += amount * times;
    }
    return total;
  };
  const usd = (amount: number | null) => amount && roundedUsd(amount);
  return {
    calls: sum(({ calls }) => calls) ?? 0,
    prompt_tokens: sum(({ prompt_tokens }) => prompt_tokens),
    completion_tokens: sum(({ completion_tokens }) => completion_tokens),
    cost: usd(sum(({ cost }) => cost)),
    unknown: happening.find(({ worst }) => worst.unknown !== null)?.worst.unknown ?? null,
    limit: usd(sum(({ limit }) => limit)),
  };
}
