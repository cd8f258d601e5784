import { countMessageTokens, loadTokenCounter, partsToCount, type TokenCounter } from '../../../core/llm/countTokens.js';
import type { PromptTokens } from '../../../core/prompt/describePrompt.js';
import type { ComposedPrompt } from '../../../core/prompt/types.js';

/** Longer texts are counted part by part, with pauses in which the editor answers; in UTF-16 units. */
const longText = 100_000;

/** Counts prompts while they are typed: unchanged texts are not counted again. */
export class TokenCache {
  #model = '';
  #counts = new Map<string, { readonly tokens: number; readonly exact: boolean }>();

  /** @returns undefined if `isStale` before the end */
  async count(
    model: string,
    { messages, tools }: Pick<ComposedPrompt, 'messages' | 'tools'>,
    isStale: () => boolean,
  ): Promise<PromptTokens | undefined> {
    const counter = await loadTokenCounter([model]);
    if (model !== this.#model) this.#counts.clear();
    this.#model = model;
    const counts = new Map<string, { readonly tokens: number; readonly exact: boolean }>();
    const toolText = tools.length === 0 ? undefined : JSON.stringify(tools);
    for (const content of [...messages.map((message) => message.content), ...(toolText === undefined ? [] : [toolText])]) {
      const counted = this.#counts.get(content) ?? (await countSlowly(counter, model, content, isStale));
      if (counted === undefined) return undefined;
      counts.set(content, counted);
    }
    this.#counts = counts;
    const cachedCounter: TokenCounter = { count: (name, text) => counts.get(text) ?? counter.count(name, text) };
    const { tokens: total, exact } = countMessageTokens(cachedCounter, model, messages);
    const tokensByMessage = messages.map(({ content }) => counts.get(content)?.tokens ?? 0);
    if (toolText === undefined) return { messages: tokensByMessage, total, estimated: !exact };
    // Vendors write tools in a form of their own.
    const ofTools = counts.get(toolText)?.tokens ?? 0;
    return { messages: tokensByMessage, tools: ofTools, total: total + ofTools, estimated: true };
  }
}

async function countSlowly(counter: TokenCounter, model: string, text: string, isStale: () => boolean) {
  if (text.length <= longText) return counter.count(model, text);
  let tokens = 0;
  let exact = true;
  for (const { part, isClean } of partsToCount(text)) {
    const counted = counter.count(model, part);
    tokens += counted.tokens;
    exact &&= counted.exact && isClean;
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (isStale()) return undefined;
  }
  return { tokens, exact };
}
