import type { AssistantBlock, Completion } from '../../llm/types.js';
import { storableBlock } from '../durableCall.js';
import { recallBlocks, recallTexts } from '../messageContent.js';
import type { AskedCall, Protocol, Reply } from './protocol.js';

/** The provider's tool calling. Text is yielded as chunks; in a turn that calls tools, it turns out to be a thought. */
export const native: Protocol = {
  fields: ({ tools, response_format }) => ({
    ...(tools.length > 0 && { tools }),
    ...(response_format && { response_format }),
  }),
  begin: () => ({ read: (text) => [{ type: 'chunk', text }], end: readCompletion }),
  observe: (results) => ({
    role: 'user',
    content: results.map(({ call, text, is_error }) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      name: call.name,
      content: text,
      ...(is_error && { is_error }),
    })),
  }),
  again: 'Give the whole answer again.',
  recall: (message, hasTools) => (hasTools ? recallBlocks(message) : recallTexts(message)),
};

function readCompletion({ text, blocks: received }: Completion): Reply {
  const blocks: readonly AssistantBlock[] = received?.map(storableBlock) ?? (text === '' ? [] : [{ type: 'text', text }]);
  const calls: AskedCall[] = [];
  const thoughts: string[] = [];
  for (const block of blocks) {
    if (block.type === 'tool_use') calls.push(block);
    else if (block.type === 'thinking') thoughts.push(block.text);
  }
  if (calls.length > 0) thoughts.push(text);
  const thought = thoughts.filter((part) => part.trim() !== '').join('\n\n');
  const isEmpty = calls.length === 0 && text.trim() === '';
  return {
    thought,
    calls,
    answer: calls.length > 0 || isEmpty ? undefined : text,
    message: isEmpty ? undefined : { role: 'assistant', content: received ? blocks : text },
    blocks,
    ...(isEmpty && { fault: 'Your reply was empty. Call a tool, or give the answer.' }),
    events: [],
  };
}
