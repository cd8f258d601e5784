import { sizeOfText } from '../llm/callCost.js';
import { messageWeight } from '../llm/messageText.js';
import type { CachingFacts } from '../llm/providers/provider.js';
import { cachingOf } from '../llm/providers/providerFacts.js';
import type { LlmRequest, Message, TokenUsage } from '../llm/types.js';
import type { EffectiveLlm } from '../snapshot/effective.js';

/**
 * The tokens a provider's cache saves the calls of a run while it keeps their prefix: in the first call of a conversation, what is the same in every
 * call of the agent; in each further one, everything that the previous call sent. Uses the provider's own counts; the prefix gets the share of
 * them that its length has.
 */
export class CacheForecast {
  readonly #caching: CachingFacts | undefined;
  #conversation: readonly Message[] | undefined;
  /** The share of the conversation's first request that is the same in every call. */
  #share = 0;
  #stable = 0;
  #before = 0;
  #tokens = 0;

  constructor({ provider, options = {} }: Pick<EffectiveLlm, 'provider' | 'options'>, model: string) {
    const caching = cachingOf(provider, model);
    this.#caching = caching?.isOn(options) ? caching : undefined;
  }

  /** 0 if the provider is not known to cache, or nothing is long enough to be cached. */
  get tokens(): number {
    return this.#tokens;
  }

  called(request: LlmRequest): void {
    if (this.#caching === undefined || request.messages === this.#conversation) return;
    this.#conversation = request.messages;
    this.#share = stableShare(request, this.#caching);
    this.#stable = 0;
    this.#before = 0;
  }

  answered({ prompt_tokens }: Pick<TokenUsage, 'prompt_tokens'>): void {
    if (this.#caching === undefined) return;
    if (this.#before === 0) this.#stable = Math.floor(this.#share * prompt_tokens);
    // Leaving something out to make room ends the common prefix of the two calls.
    const common = this.#before > 0 && this.#before <= prompt_tokens ? this.#before : this.#stable;
    const { minimum, step } = this.#caching;
    if (common >= minimum) this.#tokens += common - (common % step);
    this.#before = prompt_tokens;
  }
}

function stableShare({ messages, tools = [], response_format, cache }: LlmRequest, { order }: CachingFacts): number {
  const [system] = messages;
  const systemText = system?.role === 'system' ? system.content : '';
  const stableText = systemText.slice(0, cache?.stable_system ?? systemText.length);
  const weights = {
    tools: tools.length === 0 ? 0 : weigh(JSON.stringify(tools)),
    schema: response_format ? weigh(JSON.stringify(response_format.json_schema)) : 0,
    system: weigh(stableText),
    messages: 0,
  };
  const isWhole = stableText.length === systemText.length;
  let stable = 0;
  for (const part of order) {
    stable += weights[part];
    if (part === 'system' && !isWhole) break;
  }
  const totalWeight = weights.tools + weights.schema + messages.reduce((sum, message) => sum + weigh(messageWeight(message)), 0);
  return totalWeight === 0 ? 0 : stable / totalWeight;
}

function weigh(text: string): number {
  return sizeOfText(text).likely;
}
