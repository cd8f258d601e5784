import { isObject, type Json } from '../json.js';
import { quoteInexactNumbers } from '../jsonText/exactNumbers.js';
import type { Message, ToolUseBlock } from './types.js';

/** The input of a tool call, from the text a model wrote or from a value that a server has already parsed. An empty text is an empty input. */
export function toToolInput(written: Json | undefined): Pick<ToolUseBlock, 'input' | 'input_text'> {
  if (isObject(written)) return { input: written };
  if (written === undefined || written === null) return { input: {} };
  if (typeof written !== 'string') return { input: {}, input_text: JSON.stringify(written) };
  if (written.trim() === '') return { input: {} };
  try {
    // A number that would change its value is passed on as a text, as in answers that are not streamed.
    const value = JSON.parse(quoteInexactNumbers(written)) as Json;
    if (isObject(value)) return { input: value };
  } catch {
    // Text that is not JSON is kept, so that the answer to the call can say what is wrong with it.
  }
  return { input: {}, input_text: written };
}

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
