import type { JsonObject } from '../../../json.js';
import type { AssistantBlock, Message, UserBlock } from '../../types.js';

/** A turn of the Messages API. */
export interface MessagesTurn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}

/**
 * The conversation in the form of the Messages API: system texts apart, and alternating turns. Consecutive messages of one side become one
 * turn, starting with tool results as the API requires. What the API refuses is left out: empty texts, and thoughts without
 * its own signature (from another provider or a file).
 *
 * @param withThoughts whether any thought is sent
 */
export function toMessagesTurns(
  messages: readonly Message[],
  withThoughts: boolean,
): { readonly system: string; readonly turns: readonly MessagesTurn[] } {
  const system: string[] = [];
  const turns: { role: MessagesTurn['role']; content: JsonObject[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') {
      if (message.content !== '') system.push(message.content);
      continue;
    }
    const content = contentOf(message).filter((block) => withThoughts || !isThought(block));
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === message.role) last.content.push(...content);
    else turns.push({ role: message.role, content });
  }
  return { system: system.join('\n\n'), turns: turns.map(({ role, content }) => ({ role, content: resultsFirst(content) })) };
}

/** Whether a block of the wire format is a thought, shown or hidden. */
export function isThought({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function contentOf({ content }: Message): JsonObject[] {
  const blocks: readonly (UserBlock | AssistantBlock)[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return blocks.map(toWireBlock).filter((block) => block !== undefined);
}

function toWireBlock(block: UserBlock | AssistantBlock): JsonObject | undefined {
  switch (block.type) {
    case 'text':
      return block.text === '' ? undefined : { type: 'text', text: block.text };
    case 'thinking': {
      const { signature } = block;
      if (signature === undefined) return undefined;
      return block.redacted ? { type: 'redacted_thinking', data: signature } : { type: 'thinking', thinking: block.text, signature };
    }
    case 'tool_use':
      return { type: 'tool_use', id: toWireId(block.id), name: block.name, input: block.input };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: toWireId(block.tool_use_id),
        ...(block.content !== '' && { content: block.content }),
        ...(block.is_error && { is_error: true }),
      };
  }
}

/** The API accepts ids of `[a-zA-Z0-9_-]`; a conversation begun with another provider may have others. */
function toWireId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_');
}

function resultsFirst(content: readonly JsonObject[]): readonly JsonObject[] {
  const isResult = ({ type }: JsonObject) => type === 'tool_result';
  return content.some(isResult) ? [...content.filter(isResult), ...content.filter((block) => !isResult(block))] : content;
}
