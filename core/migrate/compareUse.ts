import { InputInvalidError } from '../errors.js';
import type { MigrationPrice, MigrationSide, MigrationUse } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import { sizeOfRequest } from '../llm/callCost.js';
import { countRequestTokens, loadTokenCounter } from '../llm/countTokens.js';
import type { ModelFacts, ModelPrice, ModelTable } from '../llm/modelTable.js';
import { priceOf } from '../llm/price.js';
import { findProviderFacts, optionLimits } from '../llm/providers/providerFacts.js';
import { refusedParameters } from '../llm/refusedParameters.js';
import { countText } from '../llm/tokenText.js';
import { createAgentPrompt } from '../prompt/agentPrompt.js';
import { uncompiled } from '../prompt/compileOnce.js';
import { staticWorstCase } from '../prompt/staticWorstCase.js';
import type { ComposedPrompt } from '../prompt/types.js';
import { typicalCost } from '../prompt/typicalCost.js';
import { createFacts } from '../rules/facts/orchestrationBounds.js';
import { cacheOf } from '../rules/facts/promptCache.js';
import { quoted } from '../words.js';
import type { AgentUse } from './agentUses.js';

/** The same agent with the old and with the new model. */
export interface UsePair {
  readonly before: AgentUse;
  readonly after: AgentUse;
  /** Inputs of its cases. */
  readonly inputs: readonly JsonObject[];
  /** What holds for the new model whatever the agent. */
  readonly misfit: string | undefined;
  readonly unknown: string | undefined;
  /** Errors of `check` that the new model brings. */
  readonly errors: readonly string[];
}

type Judged = Pick<MigrationUse, 'outcome' | 'reasons' | 'notes' | 'before' | 'after'>;

/** What changes for an agent. Facts that are missing make it `not_known`, never `fits`. */
export async function compareUse(pair: UsePair, models: ModelTable, assumed: number | undefined): Promise<Judged> {
  const { before, after, inputs } = pair;
  const [old, now] = [sideOf(before, inputs, models, assumed), sideOf(after, inputs, models, assumed)];
  const facts = models.find(after.model, after.provider);
  const window = await checkWindow(after, inputs, facts);
  const misfits = [pair.misfit, ...pair.errors, ...limitFaults(after, facts), window.misfit, strictLoss(old, now)];
  const unknowns = [pair.unknown, ...missingFacts(after, facts, now), ...openOptions(after, facts), window.unknown];
  const [faults, gaps] = [misfits.filter((reason) => reason !== undefined), unknowns.filter((reason) => reason !== undefined)];
  return {
    outcome: faults.length > 0 ? 'does_not_fit' : gaps.length > 0 ? 'not_known' : 'fits',
    reasons: [...new Set([...faults, ...gaps])],
    notes: facts === undefined ? [] : [...lostParameters(before, after, models), ...cacheNotes(old, now)],
    before: old,
    after: now,
  };
}

/** Before there is a new model. */
export function sideBefore(use: AgentUse, inputs: readonly JsonObject[], models: ModelTable, assumed: number | undefined): MigrationSide {
  return sideOf(use, inputs, models, assumed);
}

function sideOf(use: AgentUse, inputs: readonly JsonObject[], models: ModelTable, assumed: number | undefined): MigrationSide {
  const { resolved, called, model, provider } = use;
  const { config, llm } = resolved;
  const facts = models.find(model, provider);
  const price = priceOf(llm, facts, model);
  const longest = longestPrompt(use, inputs);
  const worst = staticWorstCase({ ...createFacts(called, models, assumed)(resolved), payloads: inputs });
  const typical = longest && typicalCost({ config, llm, model: facts, price }, sizeOf(longest).likely);
  const cache = config.agent_type === 'orchestrating' ? undefined : cacheOf(resolved, models);
  const format = config.agent_type === 'orchestrating' ? null : promptOf(use).shape().response_format;
  return {
    model,
    price: priceFields(price),
    typical_cost_usd: typical?.usd ?? null,
    maximum_cost_usd: worst?.limit ?? null,
    strict_schema: format?.json_schema.strict ?? null,
    context_window: facts?.context_window ?? null,
    cache_minimum: cache?.caching?.minimum ?? null,
    cache_step: cache?.caching?.step ?? null,
    cached_tokens: cache === undefined ? null : cache.prediction.cached_tokens,
  };
}

export function priceFields(price: ModelPrice | undefined): MigrationPrice | null {
  return price === undefined ? null : { input: price.input, output: price.output, cached_input: price.cached_input ?? null };
}

function promptOf({ resolved: { config, llm, tools } }: AgentUse) {
  return createAgentPrompt({ config, llm, tools, schemas: uncompiled });
}

function sizeOf({ messages, tools, response_format }: ComposedPrompt) {
  return sizeOfRequest(messages, tools, response_format);
}

/** The longest prompt of the agent's cases; undefined without a case that it takes. */
function longestPrompt(use: AgentUse, inputs: readonly JsonObject[]): ComposedPrompt | undefined {
  if (use.resolved.config.agent_type === 'orchestrating') return undefined;
  const { compose, checkPayload } = promptOf(use);
  const prompts = inputs.flatMap((input) => {
    if (checkPayload(input).length > 0) return [];
    try {
      return [compose(input)];
    } catch (error) {
      // It lacks a path of the template, which `check` reports.
      if (error instanceof InputInvalidError) return [];
      throw error;
    }
  });
  return prompts.toSorted((left, right) => sizeOf(right).most - sizeOf(left).most)[0];
}

interface WindowCheck {
  readonly misfit?: string;
  readonly unknown?: string;
}

/** The longest case against the context window. Tokens are counted only where the size of the text does not decide. */
async function checkWindow(use: AgentUse, inputs: readonly JsonObject[], facts: ModelFacts | undefined): Promise<WindowCheck> {
  const window = facts?.context_window;
  const longest = longestPrompt(use, inputs);
  if (window === undefined || longest === undefined) return {};
  const output = findProviderFacts(use.provider)?.windowIsInputOnly ? 0 : (use.resolved.config.max_output_tokens ?? 0);
  if (sizeOf(longest).most + output <= window) return {};
  const { messages, tools } = longest;
  const { tokens, exact } = countRequestTokens(await loadTokenCounter([use.model]), { model: use.model, messages, tools });
  const words = `the longest case has ${exact ? '' : 'about '}${countText(tokens)} tokens${output > 0 ? ` and asks for ${countText(output)} more` : ''}, and ${use.model} has a window of ${countText(window)}`;
  if (tokens + output > window) return exact || tokens + output > 1.5 * window ? { misfit: sentence(words) } : { unknown: sentence(words) };
  return exact || tokens + output <= window / 1.5 ? {} : { unknown: sentence(words) };
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function limitFaults({ resolved: { config, llm }, model }: AgentUse, facts: ModelFacts | undefined): readonly string[] {
  const limit = facts?.max_output_tokens;
  if (limit === undefined) return [];
  const written = [
    ['max_output_tokens', config.max_output_tokens],
    ['options', optionLimits(llm.options).output],
  ] as const;
  return written.flatMap(([name, value]) =>
    value !== undefined && value > limit
      ? [`${name} asks for ${countText(value)} tokens, and ${model} gives at most ${countText(limit)}.`]
      : [],
  );
}

function strictLoss(old: MigrationSide, now: MigrationSide): string | undefined {
  return old.strict_schema === true && now.strict_schema !== true
    ? `With ${now.model} the output schema is not strict any more.`
    : undefined;
}

function missingFacts({ model, resolved: { llm } }: AgentUse, facts: ModelFacts | undefined, side: MigrationSide): readonly string[] {
  if (facts === undefined) return [];
  const missing = [
    ...(facts.context_window === undefined ? ['its context window'] : []),
    ...(facts.max_output_tokens === undefined ? ['the longest answer'] : []),
    ...(side.price === null ? ['its price'] : []),
  ];
  const own = llm.price === undefined ? [] : [`The profile writes a price of its own, which may be that of the old model: check it.`];
  return [
    ...own,
    ...(missing.length === 0 ? [] : [`Of ${model}, ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not known.`]),
  ];
}

/** Options by which vendors let a model think. Which values a model takes is not in the table. */
const reasoningOptions = ['reasoning_effort', 'reasoning', 'thinking', 'thinking_config', 'thinkingConfig', 'output_config', 'verbosity'];

function openOptions({ resolved: { llm }, model }: AgentUse, facts: ModelFacts | undefined): readonly string[] {
  const { options = {} } = llm;
  return reasoningOptions.flatMap((name) => {
    const value = options[name];
    if (value === undefined || (name === 'reasoning_effort' && value === facts?.supported_with_effort)) return [];
    return [`Whether ${model} takes options.${name} ${quoted(value)} is not known.`];
  });
}

/** Parameters that had an effect, and are left out of requests to the new model. */
function lostParameters(before: AgentUse, after: AgentUse, models: ModelTable): readonly string[] {
  const refusedBy = ({ model, provider, resolved }: AgentUse) => refusedParameters(models.find(model, provider), resolved.llm.options);
  const known = refusedBy(before);
  const { config } = before.resolved;
  return refusedBy(after).flatMap((name) => {
    const value = Object.hasOwn(config, name) ? (config as unknown as JsonObject)[name] : undefined;
    if (known.includes(name) || value === undefined || value === 1) return [];
    return [`${name} ${quoted(value)} has no effect any more: ${after.model} does not take it.`];
  });
}

function cacheNotes(old: MigrationSide, now: MigrationSide): readonly string[] {
  if (!old.cached_tokens || now.cached_tokens === old.cached_tokens) return [];
  const { cached_tokens: cached, cache_minimum: minimum, model } = now;
  if (cached) return [];
  const why = minimum === null ? `${model} is not known to cache prompts` : `${model} caches from ${countText(minimum)} tokens on`;
  return [`The beginning of the prompt, about ${countText(old.cached_tokens)} tokens, is not cached any more: ${why}.`];
}
