import { isObject, type Json } from '../json.js';
import { findInexactNumbers } from '../jsonText/exactNumbers.js';
import type { ToolUseBlock } from './types.js';

/** The input of a tool call, from the text a model wrote or from a value that a server has already parsed. An empty text is an empty input. */
export function toToolInput(written: Json | undefined): Pick<ToolUseBlock, 'input' | 'input_text'> {
  if (isObject(written)) return { input: written };
  if (written === undefined || written === null) return { input: {} };
  if (typeof written !== 'string') return { input: {}, input_text: JSON.stringify(written) };
  if (written.trim() === '') return { input: {} };
  try {
    const value = JSON.parse(written) as Json;
    // A number that changes its value would make a call that the model did not request.
    if (isObject(value) && findInexactNumbers(written).length === 0) return { input: value };
  } catch {
    // Text that is not JSON is kept, so that the answer to the call can say what is wrong with it.
  }
  return { input: {}, input_text: written };
}
