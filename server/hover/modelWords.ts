import { usdText } from '../../core/amounts.js';
import { isObject, type Json } from '../../core/json.js';
import { endWords, followSuccessors, successorWords } from '../../core/llm/modelEnd.js';
import type { ModelFacts, ModelPrice } from '../../core/llm/modelTable.js';
import { countText } from '../../core/llm/tokenText.js';
import type { RuleContext } from '../../core/rules/rule.js';
import { capitalized } from '../../core/words.js';
import type { FileView } from '../names/fileView.js';
import { type Block, line, list, type Part } from './hoverText.js';

/** Facts about a model and their source. */
export function modelWords(view: Pick<FileView, 'project'>, model: string, provider: string | undefined): readonly Block[] {
  const { models } = view.project.ruleContext;
  // The offline provider takes any model name, so the facts are those of the provider that really has it.
  const isOffline = provider === 'offline';
  const facts = models.find(model, isOffline ? undefined : provider);
  const offline = isOffline ? [line('The provider is ', { code: 'offline' }, ', which calls no model.')] : [];
  if (facts === undefined) return isOffline ? offline : [line('Nothing is known about this model.')];
  return [
    ...offline,
    line({ strong: facts.name }, ` (${facts.provider})`),
    list([...endLines(facts, view.project.ruleContext), ...factLines(facts)]),
  ];
}

/** When it ends, what its provider names in its place, and who says so. */
function endLines(facts: ModelFacts, { models, asOf }: RuleContext): readonly (readonly Part[])[] {
  const { deprecated, ends_source: source, read } = facts;
  const end = endWords(facts, asOf);
  const successor = successorWords(followSuccessors(models, facts.name, facts.provider));
  const lines: Part[][] = [];
  if (end !== undefined) lines.push([{ strong: capitalized(end) }]);
  if (deprecated !== undefined) lines.push([{ strong: 'Deprecated' }, `: ${deprecated}`]);
  if (successor !== undefined) lines.push([successor]);
  if (source !== undefined) lines.push([`Source of the end: ${source}${read === undefined ? '' : `, read on ${read}`}`]);
  return lines;
}

function factLines(facts: ModelFacts): readonly (readonly Part[])[] {
  const { context_window: window, max_output_tokens: output, price, unsupported, source } = facts;
  const lines: Part[][] = [];
  if (window !== undefined) lines.push([`Context window: ${countText(window)} tokens`]);
  if (output !== undefined) lines.push([`Most output: ${countText(output)} tokens`]);
  if (price !== undefined) lines.push([priceWords(price)]);
  if (unsupported.length > 0) lines.push(['Does not take ', ...codes(unsupported)]);
  lines.push([`Source: ${source}`]);
  return lines;
}

function priceWords({ input, output, cached_input: cached }: ModelPrice): string {
  const extra = cached === undefined ? '' : `, ${usdText(cached)} cached input`;
  return `Price per million tokens: ${usdText(input)} input, ${usdText(output)} output${extra}`;
}

/** Provider beside a `model_name`: in the same object, or that of the effective agent. */
export function providerBeside(around: Json | undefined): string | undefined {
  const provider = isObject(around) ? around.provider : undefined;
  return typeof provider === 'string' && !provider.includes('${') ? provider : undefined;
}

/** Names as code, separated by commas. */
export function codes(names: readonly string[], most = 12): Part[] {
  const parts = names.slice(0, most).flatMap((name, index): Part[] => (index === 0 ? [{ code: name }] : [', ', { code: name }]));
  return names.length > most ? [...parts, ` and ${countText(names.length - most)} more`] : parts;
}
