import { messageText } from '../../messageText.js';
import type { AssistantMessage, Message, ToolUseBlock, UserMessage } from '../../types.js';

/** A message in the form of Chat Completions. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly ChatToolCall[];
      readonly reasoning_content?: string;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * The conversation in the form of Chat Completions. Tool results become messages of their own, before the rest of the user's message,
 * since they have to follow their calls. Thoughts are left out, since the format has no field for them; servers that require them
 * nevertheless (`wantsThoughts`) get `reasoning_content` with every answer of the model, empty where it did not think.
 */
export function toChatMessages(messages: readonly Message[], wantsThoughts = false): readonly ChatMessage[] {
  const out: ChatMessage[] = [];
  for (const message of messages) {
    const { role, content } = message;
    if (message.role === 'assistant' && wantsThoughts) out.push({ ...fromAssistant(message), reasoning_content: thoughtsOf(message) });
    else if (typeof content === 'string') out.push({ role, content });
    else if (message.role === 'assistant') out.push(fromAssistant(message));
    else if (message.role === 'user') out.push(...fromUser(message));
  }
  return out;
}

function fromUser(message: UserMessage): ChatMessage[] {
  const blocks = typeof message.content === 'string' ? [] : message.content;
  const results = blocks.flatMap((block): ChatMessage[] =>
    block.type === 'tool_result' ? [{ role: 'tool', tool_call_id: block.tool_use_id, content: block.content }] : [],
  );
  const hasText = results.length === 0 || blocks.some(({ type }) => type === 'text');
  return hasText ? [...results, { role: 'user', content: messageText(message) }] : results;
}

function thoughtsOf({ content }: AssistantMessage): string {
  if (typeof content === 'string') return '';
  return content.map((block) => (block.type === 'thinking' ? block.text : '')).join('');
}

function fromAssistant(message: AssistantMessage): Extract<ChatMessage, { role: 'assistant' }> {
  const text = messageText(message);
  const blocks = typeof message.content === 'string' ? [] : message.content;
  const calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [toToolCall(block)] : []));
  if (calls.length === 0) return { role: 'assistant', content: text };
  return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls };
}

/** Arguments that are not an object are not valid JSON of the model, and some servers refuse a conversation that contains them. */
function toToolCall({ id, name, input }: ToolUseBlock): ChatToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
