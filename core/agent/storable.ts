import type { AssistantBlock, Completion } from '../llm/types.js';
import { findNotJson } from '../prompt/plainJson.js';

/** Input that cannot be written down again (nested too deep, a number beyond all) counts as no JSON object, as what it was is lost. */
export function storableBlock(block: AssistantBlock): AssistantBlock {
  if (block.type !== 'tool_use') return block;
  const found = findNotJson(block.input);
  return found ? { ...block, input: {}, input_text: `[an input of which ${found.pointer.slice(0, 100)} ${found.problem}]` } : block;
}

/** The same answer after it went through JSON, but for members that are undefined. */
export function storableCompletion(completion: Completion): Completion {
  return completion.blocks ? { ...completion, blocks: completion.blocks.map(storableBlock) } : completion;
}
