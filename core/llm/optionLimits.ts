import { isObject, type Json, type JsonObject } from '../json.js';

/** Limits that the `options` of an llm profile set in the words of a vendor, in tokens. */
export interface OptionLimits {
  /** Of the whole output. */
  readonly output: number | undefined;
  /** Of the thoughts in it. */
  readonly thinking: number | undefined;
}

/** OpenAI: `max_completion_tokens`, in the Responses API `max_output_tokens`; Anthropic: `max_tokens`, `thinking.budget_tokens`; Gemini: both in `generationConfig`. */
export function optionLimits(options: JsonObject = {}): OptionLimits {
  const generation = objectOf(options.generationConfig);
  return {
    output: [options.max_completion_tokens, options.max_output_tokens, options.max_tokens, generation.maxOutputTokens].find(isLimit),
    thinking: [objectOf(options.thinking).budget_tokens, objectOf(generation.thinkingConfig).thinkingBudget].find(isLimit),
  };
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function isLimit(value: Json | undefined): value is number {
  return typeof value === 'number' && value > 0;
}
