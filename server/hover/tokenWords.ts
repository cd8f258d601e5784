import { countText, tokensText } from '../../core/llm/tokenText.js';
import { type Block, line } from './hoverText.js';

/** In UTF-16 units. Of longer texts only the beginning is counted, and the rest is estimated from it. */
const countedUnits = 100_000;

/** A model, and whether its name may be shown. A name from a variable may not. */
export interface Counted {
  readonly model: string;
  readonly isPlain: boolean;
}

/** The number of tokens of a text for a model. Loads the tokenizer on first use. */
export async function tokenWords(text: string, counted: Counted | undefined): Promise<readonly Block[]> {
  if (text.trim() === '') return [];
  const { hasKnownTokenizer, loadTokenCounter } = await import('../../core/llm/countTokens.js');
  const name = counted?.model ?? anyModel;
  const counter = await loadTokenCounter([name]);
  const isWhole = text.length <= countedUnits;
  const { tokens, exact } = counter.count(name, isWhole ? text : text.slice(0, countedUnits));
  const total = isWhole ? tokens : Math.round((tokens * text.length) / countedUnits);
  const about = isWhole && exact && counted !== undefined ? '' : 'About ';
  const isKnown = counted !== undefined && hasKnownTokenizer(counted.model);
  const of = isKnown ? (counted.isPlain ? ` for ${counted.model}` : ' for the model of this agent') : '';
  const how = isWhole ? '' : `, estimated from the first ${countText(countedUnits)} characters`;
  return [line(`${about}${tokensText(total)}${of}${how}.`)];
}

/** The model that provides the tokenizer when none is known. */
const anyModel = 'gpt-4o';
