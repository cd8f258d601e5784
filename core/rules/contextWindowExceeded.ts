import type { ConfigFile } from '../config/configFile.js';
import { type CountExactly, countWithin } from '../llm/countExactly.js';
import { hasKnownTokenizer } from '../llm/countTokens.js';
import { fewestTokens, mostTokens, mostTokensOf } from '../llm/fewestTokens.js';
import { findProviderFacts } from '../llm/providers/providerFacts.js';
import { findTemplatePaths } from '../prompt/template.js';
import { findPlaceholders } from '../snapshot/placeholders.js';
import { findTemplates } from './facts/agentTexts.js';
import { findSetting, isWritten, layersOf, placeOf, type Setting } from './facts/layers.js';
import { findModelUse, type ModelUse, modelWords } from './facts/modelUse.js';
import { forLastFile } from './forLastFile.js';
import type { Rule, RuleContext } from './rule.js';

/**
 * The part of the prompt that does not depend on the input, plus the requested output, against the model's window. Only a certain excess
 * is reported: judged by the fewest tokens that the texts can have, and where that does not decide it, by the exact count, if the model's
 * tokenizer is known. The payload, the output schema and the texts of Agent Stack come on top.
 */
export const contextWindowExceeded: Rule = {
  code: 'context-window-exceeded',
  severity: 'warning',
  kinds: ['agent'],
  on: 'value',
  needsTokenizer(file, context) {
    const size = findSize(file, context);
    const model = size?.isOpen ? tokenizedModel(size.use) : undefined;
    return model === undefined || context.countTokens?.(model, '') !== undefined ? undefined : model;
  },
  check(file, context, report) {
    const size = findSize(file, context);
    if (size === undefined) return;
    const { use, window, setting, output, parts } = size;
    const prompt = size.isOpen ? countedTokens(size, context) : size.fewest;
    if (prompt + output <= window) return;
    const longest = parts.toSorted((left, right) => right.length - left.length)[0];
    const cause = isWritten(setting) && (longest === undefined || output > prompt) ? setting : (longest?.setting ?? use.model);
    report({
      ...placeOf(file, cause, 'This makes the request too long.'),
      message: `${modelWords(use)} has a window of ${window} tokens, but the prompt has at least ${prompt}${output > 0 ? ` and max_output_tokens asks for ${output} more` : ''}.`,
      data: {
        window,
        prompt_tokens: prompt,
        max_output_tokens: output,
        exact: size.isOpen,
        model: use.facts?.name,
        source: use.facts?.source,
      },
    });
  },
};

/** Bounds on the tokens of an agent's request, computed without a tokenizer. */
interface Size {
  readonly use: ModelUse;
  readonly window: number;
  /** 0 where no layer gives a number. */
  readonly output: number;
  readonly setting: Setting | undefined;
  readonly parts: readonly PromptPart[];
  /** The fewest tokens of all texts together. */
  readonly fewest: number;
  /** The bounds do not decide whether the request fits. */
  readonly isOpen: boolean;
}

/** Undefined where the request certainly fits, or where the window is not known. */
const findSize = forLastFile(measure);

function measure(file: ConfigFile, context: RuleContext): Size | undefined {
  const use = findModelUse(file, context);
  const window = use?.facts?.context_window;
  if (use === undefined || window === undefined) return undefined;
  const setting = findSetting(use.layers, 'max_output_tokens');
  const isInputOnly = findProviderFacts(use.provider)?.windowIsInputOnly === true;
  const output = typeof setting?.value === 'number' && !isInputOnly ? setting.value : 0;
  const parts = promptParts(file, context);
  if (mostTokens(sum(parts, ({ length }) => length)) + output <= window) return undefined;
  if (sum(parts, ({ stretches }) => sum(stretches, mostTokensOf)) + output <= window) return undefined;
  const model = hasTokenizerOfOpenAi(use) ? use.model.value : '';
  // A variable may be empty, which joins the text before it and the text after it.
  const fewest = sum(parts, ({ stretches }) => fewestTokens(model, stretches.join('')));
  return { use, window, setting, output, parts, fewest, isOpen: fewest + output <= window };
}

function countedTokens({ use, parts, fewest }: Size, { countTokens }: RuleContext): number {
  const model = tokenizedModel(use);
  return model === undefined || countTokens === undefined ? fewest : sum(parts, ({ stretches }) => tokensIn(stretches, model, countTokens));
}

function tokensIn(stretches: readonly string[], model: string, countTokens: CountExactly): number {
  const last = stretches.length - 1;
  const counts = stretches.map((stretch, at) => countWithin(countTokens, model, stretch, { start: at > 0, end: at < last }));
  const whole = counts.every((count) => count !== undefined);
  return whole ? sum(counts, (count) => count) : fewestTokens(model, stretches.join(''));
}

/** A text that is in every prompt of the agent. */
interface PromptPart {
  /** The text between the variables, whose values are not known. */
  readonly stretches: readonly string[];
  /** Length of all stretches, in UTF-16 units. */
  readonly length: number;
  readonly setting: Setting;
}

function promptParts(file: ConfigFile, context: RuleContext): readonly PromptPart[] {
  const stack = layersOf(file, context);
  if (stack === undefined) return [];
  const templates = findTemplates(file, stack, context);
  const system = findSetting(stack, 'system_text');
  const purpose = findSetting(stack, 'purpose_text');
  const parts: PromptPart[] = [];
  const add = (setting: Setting, stretches: readonly string[]) =>
    parts.push({ setting, stretches, length: sum(stretches, ({ length }) => length) });
  for (const { setting, text } of templates) add(setting, withoutPaths(text));
  const isFilledIn = templates.some(({ field }) => field !== 'user_text');
  if (!isFilledIn && typeof system?.value === 'string') add(system, withoutVariables(system.value));
  if (typeof purpose?.value === 'string') add(purpose, withoutVariables(purpose.value));
  return parts;
}

/** The pieces of a text between its `${VAR}`. */
function withoutVariables(text: string): readonly string[] {
  return text.includes('${') ? between(text, findPlaceholders(text)) : [text];
}

/** The pieces of a template between its `${VAR}` and `{{path}}`. */
function withoutPaths(template: string): readonly string[] {
  return withoutVariables(template).flatMap((text) => (text.includes('{{') ? between(text, findTemplatePaths(text)) : [text]));
}

function between(text: string, places: readonly { readonly start: number; readonly end: number }[]): readonly string[] {
  const starts = [0, ...places.map(({ end }) => end)];
  return starts.map((start, at) => text.slice(start, places[at]?.start));
}

function hasTokenizerOfOpenAi({ provider }: ModelUse): boolean {
  return findProviderFacts(provider)?.tokenizer === 'openai';
}

/** The model, if its tokenizer is known. */
function tokenizedModel(use: ModelUse): string | undefined {
  return hasTokenizerOfOpenAi(use) && hasKnownTokenizer(use.model.value) ? use.model.value : undefined;
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
