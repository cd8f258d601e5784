import type { JsonObject } from '../../../json.js';
import type { AssistantBlock, Message, ThinkingBlock, UserBlock } from '../../types.js';

/**
 * The conversation as the items of a Responses request: one for each text, thought, tool call and tool result, in order. Tool results
 * come before the rest of the user's message. Thoughts are sent back with their encrypted content, so that the server need not store anything;
 * those of another provider, or from a file, have none and are left out.
 *
 * @param withThoughts whether any thought is sent
 */
export function toResponsesInput(messages: readonly Message[], withThoughts: boolean): readonly JsonObject[] {
  return messages.flatMap((message) => {
    const { role, content } = message;
    if (typeof content === 'string') return textItem(role, content);
    if (role === 'assistant') return content.flatMap((block) => fromAssistant(block, withThoughts));
    return [...content.filter(({ type }) => type === 'tool_result'), ...content.filter(({ type }) => type === 'text')].flatMap(fromUser);
  });
}

function textItem(role: Message['role'], text: string): readonly JsonObject[] {
  // The API accepts an empty text from the user, which may be all there is, but not from the model.
  return text === '' && role === 'assistant' ? [] : [{ role, content: text }];
}

function fromUser(block: UserBlock): readonly JsonObject[] {
  if (block.type === 'text') return textItem('user', block.text);
  return [{ type: 'function_call_output', call_id: block.tool_use_id, output: block.content }];
}

function fromAssistant(block: AssistantBlock, withThoughts: boolean): readonly JsonObject[] {
  switch (block.type) {
    case 'text':
      return textItem('assistant', block.text);
    case 'thinking':
      return withThoughts ? reasoningItem(block) : [];
    case 'tool_use':
      return [{ type: 'function_call', call_id: block.id, name: block.name, arguments: JSON.stringify(block.input) }];
  }
}

function reasoningItem({ text, signature }: ThinkingBlock): readonly JsonObject[] {
  const [id, encrypted_content] = signature?.split(' ') ?? [];
  if (id === undefined || encrypted_content === undefined) return [];
  return [{ type: 'reasoning', id, summary: text === '' ? [] : [{ type: 'summary_text', text }], encrypted_content }];
}

/** The signature of a thought: the id and content of its item. Neither contains a space. */
export function reasoningSignature(id: string, encryptedContent: string): string {
  return `${id} ${encryptedContent}`;
}
