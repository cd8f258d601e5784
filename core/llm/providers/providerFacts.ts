import { providerFacts } from '../../generated/providerFacts.js';
import type { Json, JsonObject } from '../../json.js';
import type { ModelFacts } from '../modelTable.js';
import type { CachingFacts, OptionLimits, ProviderFacts } from './provider.js';

export function findProviderFacts(name: string): ProviderFacts | undefined {
  return providerFacts.find((facts) => facts.name === name);
}

/** How a provider caches the prompts of a model; undefined where nothing is known. */
export function cachingOf(provider: string, model: string): CachingFacts | undefined {
  return findProviderFacts(provider)?.caching?.(model);
}

/** The provider whose models have such names, in the table or not. */
export function findModelOwner(model: string): string | undefined {
  return providerFacts.find(({ modelNames }) => modelNames?.test(model))?.name;
}

/** The limits in options, by the field names of any vendor: servers that use another's protocol accept its options, too. */
export function optionLimits(options: JsonObject = {}): OptionLimits {
  const limits = providerFacts.flatMap((facts) => facts.optionLimits?.(options) ?? []);
  return {
    output: limits.flatMap(({ output = [] }) => output).find(isLimit),
    thinking: limits.flatMap(({ thinking = [] }) => thinking).find(isLimit),
  };
}

/**
 * The limit of an answer that a request names: the config's. Where the vendor has to be told one and no option does, the most that the model can
 * write, by the facts that the project knows of it.
 */
export function limitSent(
  llm: { readonly provider: string; readonly options?: JsonObject },
  configured: number | undefined,
  model?: ModelFacts,
) {
  const needed = findProviderFacts(llm.provider)?.neededLimit;
  if (configured !== undefined || needed === undefined || optionLimits(llm.options).output !== undefined) return configured;
  return model?.max_output_tokens ?? needed;
}

function isLimit(value: Json | undefined): value is number {
  return typeof value === 'number' && value > 0;
}
