import { usdText } from '../../core/amounts.js';
import { isObject, type Json } from '../../core/json.js';
import type { ModelFacts, ModelPrice } from '../../core/llm/modelTable.js';
import { countText } from '../../core/llm/tokenText.js';
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
  return [...offline, line({ strong: facts.name }, ` (${facts.provider})`), list(factLines(facts))];
}

function factLines(facts: ModelFacts): readonly (readonly Part[])[] {
  const { context_window: window, max_output_tokens: output, price, unsupported, deprecated, source } = facts;
  const lines: Part[][] = [];
  if (deprecated !== undefined) lines.push([{ strong: 'Deprecated' }, `: ${deprecated}`]);
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
