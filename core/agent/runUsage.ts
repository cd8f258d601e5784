import { roundedUsd } from '../amounts.js';
import { BudgetExceededError, LlmError, type LlmFailureReason, ReplayMismatchError } from '../errors.js';
import { countRequestTokens, loadTokenCounter } from '../llm/countTokens.js';
import { estimateCost, isFree, uncachedCost } from '../llm/price.js';
import { addUsage, noUsage } from '../llm/tokenUsage.js';
import type { Completion, LlmRequest, TokenUsage } from '../llm/types.js';
import { priceToPay } from '../prompt/worstCaseOf.js';
import { CacheForecast } from './cacheForecast.js';
import type { ResultMetadata, RunResult } from './events.js';
import { isPriced, maxCostOf } from './requirePrices.js';
import type { RunRequest } from './types.js';

/** The cost that counts towards a budget, in USD: of what a record answered, the cost when it was recorded. */
export function spentOf({ estimated_cost_usd, recorded_cost_usd = 0 }: ResultMetadata): number | null {
  return estimated_cost_usd === null || recorded_cost_usd === null ? null : roundedUsd(estimated_cost_usd + recorded_cost_usd);
}

/** The same without the discounts of caches. */
export function uncachedCostOf(metadata: ResultMetadata): number | null {
  return metadata.uncached_cost_usd ?? spentOf(metadata);
}

/** The known usage of the model calls of a run and of the runs inside it. */
export class RunUsage {
  readonly #request: Pick<RunRequest, 'agent' | 'context' | 'isReplay'>;
  readonly #forecast: CacheForecast;
  #tokens: TokenUsage = noUsage;
  readonly #completions: Completion[] = [];
  /** The call whose answer is arriving. */
  #currentCall: UnfinishedCall | undefined;
  /** Usage of failed calls, and of attempts before an answer, as reported by their providers. */
  #failed: TokenUsage | undefined;
  /** The known usage of an unfinished call. */
  #unfinished: TokenUsage | undefined;
  /** The metadata of runs inside this one. */
  readonly #included: ResultMetadata[] = [];

  constructor(request: Pick<RunRequest, 'agent' | 'context' | 'isReplay'>) {
    this.#request = request;
    const { config, llm } = request.agent.resolved;
    this.#forecast = new CacheForecast(llm, config.model_name ?? '');
  }

  get tokens(): TokenUsage {
    return this.#tokens;
  }

  /** Model calls of this run alone that were answered. */
  get answers(): number {
    return this.#completions.length;
  }

  /** Model calls that were answered, including those of runs inside. */
  get iterations(): number {
    return this.#included.reduce((sum, { iterations }) => sum + iterations, this.#completions.length);
  }

  /** USD so far, with the cost of what a record answered, which counts towards a budget. Null if the price of a called model is unknown. */
  get cost(): number | null {
    return this.#costBy(estimateCost, spentOf);
  }

  #costBy(costOf: typeof estimateCost, includedCost: (metadata: ResultMetadata) => number | null): number | null {
    const without = [this.#unfinished, this.#failed].filter((usage) => usage !== undefined);
    const usage = [...without, ...this.#completions.flatMap((completion) => completion.usage ?? [])];
    const hasCalled = this.#completions.length > 0 || without.length > 0;
    return this.#withIncluded(hasCalled ? this.#ownCost(usage, costOf) : 0, includedCost);
  }

  #ownCost(usage: readonly TokenUsage[], costOf: typeof estimateCost): number | null {
    const { agent } = this.#request;
    const price = priceToPay(agent.resolved.llm, agent.price);
    return price ? costOf(usage.reduce(addUsage, noUsage), price) : null;
  }

  #withIncluded(ownCost: number | null, includedCost: (metadata: ResultMetadata) => number | null): number | null {
    return this.#included.reduce<number | null>((sum, metadata) => {
      const cost = includedCost(metadata);
      return sum === null || cost === null ? null : roundedUsd(sum + cost);
    }, ownCost);
  }

  /** What was paid, and what was recorded where a record answered. */
  #costs(): Pick<ResultMetadata, 'estimated_cost_usd' | 'recorded_cost_usd'> {
    const { cost } = this;
    if (this.#request.isReplay) return { estimated_cost_usd: 0, recorded_cost_usd: cost };
    const recorded = this.#completions.filter(({ isRecorded }) => isRecorded);
    if (recorded.length === 0 && this.#included.every(({ recorded_cost_usd }) => recorded_cost_usd === undefined))
      return { estimated_cost_usd: cost };
    const usage = recorded.flatMap((completion) => [completion.usage, completion.failed_usage].filter((part) => part !== undefined));
    const recorded_cost_usd = this.#withIncluded(
      recorded.length === 0 ? 0 : this.#ownCost(usage, estimateCost),
      (metadata) => metadata.recorded_cost_usd ?? 0,
    );
    return {
      estimated_cost_usd: cost === null || recorded_cost_usd === null ? null : roundedUsd(cost - recorded_cost_usd),
      recorded_cost_usd,
    };
  }

  /** A call has been sent. */
  called(request: LlmRequest): void {
    this.#forecast.called(request);
    this.#currentCall = { request, received: '' };
  }

  /** A piece of the text or the thoughts of its answer. */
  received(text: string): void {
    if (this.#currentCall) this.#currentCall.received += text;
  }

  answered(completion: Completion): void {
    const { usage, failed_usage } = completion;
    this.#currentCall = undefined;
    this.#completions.push(completion);
    if (usage) {
      this.#tokens = addUsage(this.#tokens, usage);
      this.#forecast.answered(usage);
    }
    if (failed_usage) this.#countFailed(failed_usage);
  }

  /** A call failed, and its provider reported the billed usage. */
  callFailed(usage: TokenUsage): void {
    this.#currentCall = undefined;
    this.#countFailed(usage);
  }

  /** The run failed: whether the current call may have used anything depends on the reason. */
  runFailed(cause: unknown): void {
    if (!mayHaveUsed(cause)) this.#currentCall = undefined;
  }

  /** Counts the usage of an unfinished call. Called after `runFailed`. */
  async countUnfinished(): Promise<void> {
    if (!this.#currentCall) return;
    this.#unfinished = await leastUsage(this.#currentCall);
    this.#tokens = addUsage(this.#tokens, this.#unfinished);
  }

  /** Adds the run of another agent, which is part of this one. */
  include({ metadata }: RunResult): void {
    this.#included.push(metadata);
    this.#tokens = addUsage(this.#tokens, metadata.token_usage);
  }

  #countFailed(usage: TokenUsage): void {
    this.#failed = addUsage(this.#failed ?? noUsage, usage);
    this.#tokens = addUsage(this.#tokens, usage);
  }

  /** As in a result. */
  get metadata() {
    const calls = [...this.#completions, ...this.#included];
    const isEstimated =
      this.#completions.some(({ isUsageEstimated }) => isUsageEstimated) ||
      this.#included.some(({ token_usage_estimated }) => token_usage_estimated === true);
    const predicted = this.#predictedCache();
    const unpriced = this.#unpricedModels();
    const { cost } = this;
    const uncached = this.#costBy(uncachedCost, uncachedCostOf);
    return {
      iterations: this.iterations,
      token_usage: this.#tokens,
      ...(isEstimated && { token_usage_estimated: true }),
      ...(this.#isIncomplete() && { token_usage_incomplete: true }),
      ...(predicted > 0 && { predicted_cached_tokens: predicted }),
      ...this.#costs(),
      ...(uncached !== null && uncached !== cost && { uncached_cost_usd: uncached }),
      simulated: calls.some(({ simulated }) => simulated) || (this.#currentCall !== undefined && isFree(this.#request.agent.resolved.llm)),
      left_out: [...new Set(calls.flatMap(({ left_out }) => left_out))],
      ...(unpriced.length > 0 && { unpriced_models: unpriced }),
    };
  }

  /** Whether a provider did not report the usage of a call. The sums are then lower bounds. */
  #isIncomplete(): boolean {
    return (
      this.#unfinished !== undefined ||
      this.#completions.some(({ usage }) => usage === undefined) ||
      this.#included.some(({ token_usage_incomplete }) => token_usage_incomplete === true)
    );
  }

  /** For a simulated run nothing is predicted: no cache has it. */
  #predictedCache(): number {
    const ownTokens = this.#completions.some(({ simulated }) => simulated) ? 0 : this.#forecast.tokens;
    return this.#included.reduce((sum, { predicted_cached_tokens = 0 }) => sum + predicted_cached_tokens, ownTokens);
  }

  /** Models that were called although their price is unknown, so that no budget limited them. */
  #unpricedModels(): readonly string[] {
    const { agent } = this.#request;
    const isUnheld = this.#completions.length > 0 && maxCostOf(this.#request) !== undefined && !isPriced(agent);
    const ownModels = isUnheld ? [agent.prompt.model_name] : [];
    return [...new Set([...ownModels, ...this.#included.flatMap(({ unpriced_models = [] }) => unpriced_models)])];
  }
}

/** A model call that has started, with the texts and thoughts of its answer that have arrived. */
interface UnfinishedCall {
  readonly request: LlmRequest;
  received: string;
}

/** Failures of requests that no model has processed. */
const unused: ReadonlySet<LlmFailureReason> = new Set([
  'no-provider',
  'no-key',
  'auth',
  'not-found',
  'rate-limit',
  'quota',
  'context-length',
  'bad-request',
]);

/** Whether a call that failed this way may have used tokens that its provider did not report. */
function mayHaveUsed(cause: unknown): boolean {
  if (cause instanceof BudgetExceededError || cause instanceof ReplayMismatchError) return false;
  return !(cause instanceof LlmError && unused.has(cause.reason));
}

/**
 * The least that a call can have used: the request, which the model has read when it starts to answer, and the answer so far. Zero before the answer
 * starts. Estimated here, since providers report the usage at the end of an answer.
 */
async function leastUsage({ request, received }: UnfinishedCall): Promise<TokenUsage> {
  if (received === '') return noUsage;
  const counter = await loadTokenCounter([request.model]);
  const prompt_tokens = countRequestTokens(counter, request).tokens;
  const completion_tokens = counter.count(request.model, received).tokens;
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, cached_tokens: 0 };
}
