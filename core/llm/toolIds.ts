import type { Message } from './types.js';

/**
 * Gives the tool calls of the next answer ids that are unique in the conversation: the provider's own where it sends one that is not
 * taken yet (some start again at `call_0` in every answer), else `call_1`, `call_2` and so on. The same conversation gives the same ids.
 */
export function createToolIds(messages: readonly Message[]): (given: unknown) => string {
  const taken = new Set(messages.flatMap(idsOf));
  let next = taken.size;
  return (given) => {
    let id = typeof given === 'string' ? given : '';
    while (id === '' || taken.has(id)) id = `call_${++next}`;
    taken.add(id);
    return id;
  };
}

function idsOf({ role, content }: Message): readonly string[] {
  if (role !== 'assistant' || typeof content === 'string') return [];
  return content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}
