import type { SessionMessage } from '../agent/types.js';
import { isObject, type Json } from '../json.js';
import type { AssistantBlock, ToolResultBlock, ToolUseBlock, UserBlock } from '../llm/types.js';

/** Messages as a session keeps them: without thoughts, and without provider signatures, which are valid within one run only. */
export function toStored(messages: readonly SessionMessage[]): readonly SessionMessage[] {
  return messages.flatMap((message): readonly SessionMessage[] => {
    const { role, content } = message;
    if (typeof content === 'string' || role === 'user') return [message];
    const blocks = content.flatMap(withoutThoughts);
    return blocks.length === 0 ? [] : [{ role, content: blocks }];
  });
}

function withoutThoughts(block: AssistantBlock): readonly AssistantBlock[] {
  if (block.type === 'thinking') return [];
  if (block.type === 'text') return [block];
  const { signature: _, ...plain } = block;
  return [plain];
}

/**
 * The messages of one run that can be sent again: up to the first value that is not a message or calls tools without results, and without an
 * unanswered question at the end.
 */
export function completeMessages(values: readonly Json[]): readonly SessionMessage[] {
  const messages: SessionMessage[] = [];
  for (const value of values) {
    const message = toMessage(value);
    if (message === undefined) break;
    const asked = toolUses(messages.at(-1));
    const isAnswered = asked.length === 0 || asked.every((id) => toolResults(message).includes(id));
    // Providers refuse a result without its call as well.
    if (!isAnswered || toolResults(message).some((id) => !asked.includes(id))) break;
    messages.push(message);
  }
  for (let last = messages.at(-1); last !== undefined; last = messages.at(-1)) {
    const isOpen = last.role === 'assistant' ? toolUses(last).length > 0 : toolResults(last).length === 0;
    if (!isOpen) break;
    messages.pop();
  }
  return messages;
}

function toolUses(message: SessionMessage | undefined): readonly string[] {
  if (message === undefined || message.role !== 'assistant' || typeof message.content === 'string') return [];
  return message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}

function toolResults(message: SessionMessage): readonly string[] {
  if (message.role !== 'user' || typeof message.content === 'string') return [];
  return message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
}

function toMessage(value: Json): SessionMessage | undefined {
  if (!isObject(value)) return undefined;
  const { role, content } = value;
  if (role !== 'user' && role !== 'assistant') return undefined;
  if (typeof content === 'string') return { role, content };
  if (!Array.isArray(content)) return undefined;
  if (role === 'user') {
    const blocks = content.flatMap((block: Json) => toUserBlock(block) ?? []);
    return blocks.length === content.length ? { role, content: blocks } : undefined;
  }
  const blocks = content.flatMap((block: Json) => toAssistantBlock(block) ?? []);
  return blocks.length === content.length ? { role, content: blocks } : undefined;
}

function toUserBlock(block: Json): UserBlock | undefined {
  if (!isObject(block)) return undefined;
  const { type, text, tool_use_id, name, content, is_error } = block;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type !== 'tool_result' || typeof tool_use_id !== 'string' || typeof name !== 'string' || typeof content !== 'string')
    return undefined;
  return { type, tool_use_id, name, content, ...(is_error === true && { is_error }) } satisfies ToolResultBlock;
}

function toAssistantBlock(block: Json): AssistantBlock | undefined {
  if (!isObject(block)) return undefined;
  const { type, text, id, name, input, input_text } = block;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string' || !isObject(input)) return undefined;
  return { type, id, name, input, ...(typeof input_text === 'string' && { input_text }) } satisfies ToolUseBlock;
}
