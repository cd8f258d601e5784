import { isObject, type Json, type JsonObject } from '../../../json.js';
import type { LlmRequest } from '../../types.js';
import { isCachingOff } from './anthropicFacts.js';
import type { MessagesTurn } from './messagesContent.js';

/** Puts `cache_control` on the parts of a request up to which the API caches it. */
export interface CacheMarks {
  tools(tools: readonly JsonObject[]): readonly JsonObject[];
  system(text: string): Json;
  turns(turns: readonly MessagesTurn[]): readonly MessagesTurn[];
}

/**
 * Marks where the API is to cache a request: after the tools, after the part of the system text that is the same in every call, and after the
 * last message if the conversation continues, which it does where tools are offered or the model has already answered. That is three of the four
 * marks the API accepts. Marks on less than the model's minimum have no effect and cost nothing.
 *
 * `options.cache_control` sets how long (`{"type": "ephemeral", "ttl": "1h"}`), or `"none"` for no marks; it is not sent as such.
 * A request without a hint is not marked, and its options are sent unchanged.
 */
export function cacheMarks(
  { cache, tools, messages }: Pick<LlmRequest, 'cache' | 'tools' | 'messages'>,
  options: JsonObject,
): { readonly mark: CacheMarks; readonly options: JsonObject } {
  const { cache_control: cacheOption, ...others } = options;
  if (isCachingOff(options)) return { mark: unmarked, options: others };
  if (cache === undefined) return { mark: unmarked, options };
  const cache_control: JsonObject = isObject(cacheOption) ? cacheOption : { type: 'ephemeral' };
  const goesOn = (tools?.length ?? 0) > 0 || messages.some(({ role }) => role === 'assistant');
  const mark: CacheMarks = {
    tools: (all) => onLast(all, (tool) => ({ ...tool, cache_control })),
    system(text) {
      const { stable_system: stable = text.length } = cache;
      const [same, rest] = [text.slice(0, stable), text.slice(stable)];
      // The API refuses a text of white space only.
      if (same.trim() === '' || (rest !== '' && rest.trim() === ''))
        return same.trim() === '' ? text : [{ type: 'text', text, cache_control }];
      return [{ type: 'text', text: same, cache_control }, ...(rest === '' ? [] : [{ type: 'text', text: rest }])];
    },
    turns: (turns) =>
      goesOn ? onLast(turns, ({ role, content }) => ({ role, content: onLast(content, (block) => ({ ...block, cache_control })) })) : turns,
  };
  return { mark, options: others };
}

const unmarked: CacheMarks = { tools: (tools) => tools, system: (text) => text, turns: (turns) => turns };

function onLast<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  return items.map((item, index) => (index === items.length - 1 ? change(item) : item));
}
