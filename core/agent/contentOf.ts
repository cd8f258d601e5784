import type { ContentBlock } from './events.js';
import type { SessionMessage } from './types.js';

/** A message as events and results show it: what a provider marked for itself is left out, and so are thoughts it hides. */
export function contentOf(content: SessionMessage['content']): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const blocks: ContentBlock[] = [];
  for (const block of content) {
    if (block.type === 'text') blocks.push({ type: 'text', text: block.text });
    else if (block.type === 'tool_result') blocks.push({ type: 'tool_result', tool_use_id: block.tool_use_id, content: block.content });
    else if (block.type === 'tool_use') {
      blocks.push({ type: 'tool_use', id: block.id, name: block.name, input: block.input_text ?? block.input });
    } else if (block.text !== '') blocks.push({ type: 'thinking', text: block.text });
  }
  return blocks;
}
