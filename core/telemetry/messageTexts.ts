import type { AssistantBlock, Completion, Message, ToolDefinition, UserBlock } from '../llm/types.js';
import { finishReason } from './attributes.js';

/** Upper limit of characters of one text in a span. */
const longest = 16_384;

/** Messages in the conventions' form (`gen_ai.input.messages`), as JSON text. */
export function inputMessages(messages: readonly Message[]): string {
  return JSON.stringify(messages.map(({ role, content }) => ({ role: roleOf(role, content), parts: toParts(content) })));
}

/** `gen_ai.output.messages`. */
export function outputMessages({ blocks, text, finish_reason }: Completion): string {
  return JSON.stringify([{ role: 'assistant', parts: toParts(blocks ?? text), finish_reason: finishReason(finish_reason) }]);
}

/** `gen_ai.tool.definitions`, without the optional parts. */
export function toolDefinitions(tools: readonly ToolDefinition[]): string {
  return JSON.stringify(tools.map(({ name }) => ({ type: 'function', name })));
}

/** A value as JSON text, cut if it is long. */
export function valueText(value: unknown): string {
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'));
}

type Content = string | readonly (AssistantBlock | UserBlock)[];

function roleOf(role: Message['role'], content: Content): string {
  const isResult = typeof content !== 'string' && content.some(({ type }) => type === 'tool_result');
  return isResult ? 'tool' : role;
}

function toParts(content: Content): unknown[] {
  if (typeof content === 'string') return [{ type: 'text', content: shorten(content) }];
  return content.map((block) => {
    if (block.type === 'text') return { type: 'text', content: shorten(block.text) };
    if (block.type === 'thinking') return { type: 'reasoning', content: shorten(block.text) };
    if (block.type === 'tool_result') return { type: 'tool_call_response', id: block.tool_use_id, response: shorten(block.content) };
    const { id, name, input, input_text } = block;
    return { type: 'tool_call', id, name, arguments: shortened(input_text ?? input) };
  });
}

/** Arguments stay a value, unless they are long: then they become text. */
function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= longest ? value : shorten(text);
}

function shorten(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)} ... (${text.length - longest} more characters)`;
}
