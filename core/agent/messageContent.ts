import type { AssistantBlock, UserBlock } from '../llm/types.js';
import type { ContentBlock } from './events.js';
import type { SessionMessage } from './types.js';

/** A message in the form of events and results, without provider signatures and hidden thoughts. */
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

/** A message in the form of sessions: without thoughts and provider signatures. Undefined if it is empty then. */
export function toSessionMessage(blocks: readonly AssistantBlock[]): SessionMessage | undefined {
  const content = blocks.flatMap((block): AssistantBlock[] => {
    if (block.type === 'thinking') return [];
    if (block.type === 'text') return block.text === '' ? [] : [{ type: 'text', text: block.text }];
    const { id, name, input, input_text } = block;
    return [{ type: 'tool_use', id, name, input, ...(input_text !== undefined && { input_text }) }];
  });
  return content.length === 0 ? undefined : { role: 'assistant', content };
}

/** For models with native tool calling: as stored. */
export function recallBlocks(message: SessionMessage): SessionMessage {
  return message;
}

/** For a call without tools, which some providers refuse when messages mention tools: only the texts. */
export function recallTexts({ role, content }: SessionMessage): SessionMessage | undefined {
  if (typeof content === 'string') return { role, content };
  // The text of a turn that called tools only announced them.
  if (content.some(({ type }) => type === 'tool_use')) return undefined;
  const texts = content.flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : []));
  return texts.length === 0 ? undefined : { role, content: texts.join('\n') };
}

/** For the text protocol: in the form that the model would have written. */
export function recallSpoken({ role, content }: SessionMessage): SessionMessage | undefined {
  if (role === 'user') return { role, content: typeof content === 'string' ? content : content.map(spokenOfUser).join('\n') };
  if (typeof content === 'string') return { role, content: `Final Answer: ${content}` };
  const isAnswer = content.every(({ type }) => type !== 'tool_use');
  const lines = content.flatMap((block): string[] => {
    if (block.type === 'tool_use') return [`Action: ${block.name}`, `Action Input: ${block.input_text ?? JSON.stringify(block.input)}`];
    return block.type === 'text' ? [`${isAnswer ? 'Final Answer' : 'Thought'}: ${block.text}`] : [];
  });
  return lines.length === 0 ? undefined : { role, content: lines.join('\n') };
}

function spokenOfUser(block: UserBlock): string {
  return block.type === 'text' ? block.text : `Observation: ${block.content}`;
}
