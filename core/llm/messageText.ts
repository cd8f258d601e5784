import type { Message } from './types.js';

/** The text blocks of a message, joined; a plain text unchanged. */
export function messageText({ content }: Message): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** Everything in a message that takes tokens, as one text: texts, thoughts, tool inputs and tool results. */
export function messageWeight({ content }: Message): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => {
      if (block.type === 'tool_use') return `${block.name} ${block.input_text ?? JSON.stringify(block.input)}`;
      return block.type === 'tool_result' ? block.content : block.text;
    })
    .join('\n');
}
