import type { AssistantBlock, Completion } from '../../llm/types.js';
import type { EventBody } from '../events.js';
import { recallSpoken } from '../messageContent.js';
import { interpretReply } from './parseReply.js';
import type { AskedCall, Protocol, Reply, ReplyReading } from './protocol.js';
import { type ReplyPiece, ReplyReader } from './replyReader.js';

/**
 * Thought, Action, Action Input, Observation and Final Answer as plain text, for models without tool calling. Thoughts are yielded as `thinking`, the
 * Final Answer as chunks; actions are complete, as `tool_call`.
 */
export const text: Protocol = {
  fields: () => ({ stop: ['\nObservation:'] }),
  begin,
  observe: (results) => ({
    role: 'user',
    content: results
      .map(({ call, text: result }, index) =>
        results.length === 1 ? `Observation: ${result}` : `Observation ${index + 1} (${call.name}): ${result}`,
      )
      .join('\n'),
  }),
  again: 'Write "Final Answer:" and the whole answer again.',
  recall: recallSpoken,
};

const fault =
  'Your reply has neither an action nor a final answer. Write "Action:" with the name of a tool and "Action Input:" with a JSON object, ' +
  'or write "Final Answer:" with the answer.';

function begin(step: number): ReplyReading {
  let reader = new ReplyReader();
  let read = '';
  let hasAction = false;
  let hasAnswer = false;
  const show = (pieces: readonly ReplyPiece[]): readonly EventBody[] =>
    pieces.flatMap(({ label, text: piece }): EventBody[] => {
      if (label === 'action') hasAction = true;
      if (label === 'thought' && !hasAction && !hasAnswer) return [{ type: 'thinking', text: piece }];
      // An answer after an action was written without its result, and does not count.
      if (label !== 'answer' || hasAction) return [];
      const visible = hasAnswer ? piece : piece.trimStart();
      if (visible === '') return [];
      hasAnswer = true;
      return [{ type: 'chunk', text: visible }];
    });
  return {
    read(piece) {
      read += piece;
      return show(reader.push(piece));
    },
    end(completion) {
      if (read !== completion.text) {
        // The completion showed that part of it was a thought, which must not be executed.
        reader = new ReplyReader();
        hasAction = false;
        reader.push(completion.text);
      }
      const events = show(reader.end());
      const { thought, actions, answer, end } = interpretReply(reader.sections, completion.text.length);
      const calls = actions.map(({ tool, ...input }, index): AskedCall => ({ id: `call_${step}_${index + 1}`, name: tool, ...input }));
      return { ...toReply(completion, { thought, calls, answer }, completion.text.slice(0, end).trimEnd()), events };
    },
  };
}

function toReply(
  { text: whole, blocks = [] }: Completion,
  { thought: spoken, calls, answer }: Pick<Reply, 'thought' | 'calls' | 'answer'>,
  counted: string,
): Omit<Reply, 'events'> {
  const message = counted === '' ? undefined : ({ role: 'assistant', content: counted } as const);
  // The model's own thoughts, before its text.
  const hidden = blocks.filter((block) => block.type === 'thinking');
  const thought = [...hidden.map((block) => block.text), spoken].filter((part) => part.trim() !== '').join('\n\n');
  if (calls.length === 0 && answer === undefined) {
    const spokenBlocks: readonly AssistantBlock[] = whole === '' ? [] : [{ type: 'text', text: whole }];
    return { thought, calls, answer, message, blocks: [...hidden, ...spokenBlocks], fault };
  }
  const spokenBlocks: AssistantBlock[] = [...hidden];
  if (spoken !== '') spokenBlocks.push({ type: 'thinking', text: spoken });
  if (answer !== undefined) spokenBlocks.push({ type: 'text', text: answer });
  for (const { id, name, input, input_text } of calls) {
    spokenBlocks.push({ type: 'tool_use', id, name, input, ...(input_text !== undefined && { input_text }) });
  }
  return { thought, calls, answer, message, blocks: spokenBlocks };
}
