import type { Message } from './types.js';

/**
 * Gives the tool calls of the next answer ids that are unique in the conversation: the provider's own unless it is already
 * taken (some start again at `call_0` in every answer), else `call_1`, `call_2` and so on. The same conversation gives the same ids.
 */
export function createToolIds(messages: readonly Message[]): (sentId: unknown) => string {
  const takenIds = new Set(messages.flatMap(idsOf));
  let next = takenIds.size;
  return (sentId) => {
    let id = typeof sentId === 'string' ? sentId : '';
    while (id === '' || takenIds.has(id)) id = `call_${++next}`;
    takenIds.add(id);
    return id;
  };
}

function idsOf({ role, content }: Message): readonly string[] {
  if (role !== 'assistant' || typeof content === 'string') return [];
  return content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}
