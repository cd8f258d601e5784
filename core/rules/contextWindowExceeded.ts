import type { ConfigFile } from '../config/configFile.js';
import { hasKnownTokenizer } from '../llm/countTokens.js';
import { fewestTokens, mostTokens } from '../llm/fewestTokens.js';
import { parseTemplate } from '../prompt/template.js';
import { findPlaceholders } from '../snapshot/placeholders.js';
import type { Rule, RuleContext } from './rule.js';
import { findGiven, type Given, isWritten, layersOf, placeOf } from './support/layers.js';
import { findModelUse, type ModelUse, modelWords } from './support/modelUse.js';
import { findUsedPrompt } from './support/usedPrompt.js';

/**
 * The prompt an agent sends whatever the input, plus the output it asks for, against the model's window. Only what is surely too long
 * is reported: tokens are counted where the tokenizer is loaded, and estimated from below where it is not. The payload, the output
 * schema and our own words come on top.
 */
export const contextWindowExceeded: Rule = {
  code: 'context-window-exceeded',
  severity: 'warning',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    const use = findModelUse(file, context);
    const window = use?.facts?.context_window;
    if (use === undefined || window === undefined) return;
    const given = findGiven(use.layers, 'max_output_tokens');
    // Gemini's limit is one of the input alone.
    const output = typeof given?.value === 'number' && use.provider !== 'gemini' ? given.value : 0;
    const parts = promptParts(file, context);
    const length = parts.reduce((sum, { text }) => sum + text.length, 0);
    if (mostTokens(length) + output <= window) return;

    const prompt = parts.reduce((sum, { text }) => sum + tokensAtLeast(use, context, text), 0);
    if (prompt + output <= window) return;
    const longest = parts.toSorted((left, right) => right.text.length - left.text.length)[0];
    const cause = isWritten(given) && (longest === undefined || output > prompt) ? given : (longest?.given ?? use.model);
    const { exact } = countingOf(use, context);
    report({
      ...placeOf(file, cause, 'This makes the request too long.'),
      message: `${modelWords(use)} has a window of ${window} tokens, but the prompt has ${exact ? '' : 'at least '}${prompt}${output > 0 ? ` and max_output_tokens asks for ${output} more` : ''}.`,
      data: { window, prompt_tokens: prompt, max_output_tokens: output, exact, model: use.facts?.name, source: use.facts?.source },
    });
  },
};

interface PromptPart {
  readonly text: string;
  readonly given: Given;
}

/** The texts that are in every prompt of the agent. What a template inserts is not known and left out. */
function promptParts(file: ConfigFile, context: RuleContext): readonly PromptPart[] {
  const stack = layersOf(file, context);
  if (stack === undefined) return [];
  const used = findUsedPrompt(file, stack, context);
  const system = findGiven(stack, 'system_text');
  const purpose = findGiven(stack, 'purpose_text');
  const parts: PromptPart[] = [];
  if (used !== undefined) parts.push({ text: withoutPaths(used.template), given: used.reference });
  else if (typeof system?.value === 'string') parts.push({ text: withoutVariables(system.value), given: system });
  if (typeof purpose?.value === 'string') parts.push({ text: withoutVariables(purpose.value), given: purpose });
  return parts;
}

function withoutPaths(template: string): string {
  const text = withoutVariables(template);
  return text.includes('{{')
    ? parseTemplate(text)
        .parts.filter((part) => typeof part === 'string')
        .join('')
    : text;
}

/** A placeholder may expand to nothing: what is left has no more words than the text will have. */
function withoutVariables(text: string): string {
  if (!text.includes('${')) return text;
  let left = '';
  let done = 0;
  for (const { start, end } of findPlaceholders(text)) {
    left += text.slice(done, start);
    done = end;
  }
  return left + text.slice(done);
}

function tokensAtLeast(use: ModelUse, context: RuleContext, text: string): number {
  const { exact, model } = countingOf(use, context);
  return exact && context.countTokens !== undefined ? context.countTokens(model, text) : fewestTokens(model, text);
}

function countingOf({ model, provider }: ModelUse, { countTokens }: RuleContext): { readonly exact: boolean; readonly model: string } {
  const isOpenAi = provider === 'openai' || provider === 'azure_openai';
  return { exact: countTokens !== undefined && isOpenAi && hasKnownTokenizer(model.value), model: isOpenAi ? model.value : '' };
}
