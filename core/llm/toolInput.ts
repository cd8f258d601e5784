import { isObject, type Json } from '../json.js';
import { findInexactNumbers } from '../jsonText/exactNumbers.js';
import type { ToolUseBlock } from './types.js';

/** The input of a tool call from the text a model wrote for it, or from a value that a server has parsed already. Nothing at all is an empty input. */
export function toToolInput(written: Json | undefined): Pick<ToolUseBlock, 'input' | 'input_text'> {
  if (isObject(written)) return { input: written };
  if (written === undefined || written === null) return { input: {} };
  if (typeof written !== 'string') return { input: {}, input_text: JSON.stringify(written) };
  if (written.trim() === '') return { input: {} };
  try {
    const value = JSON.parse(written) as Json;
    // A number that becomes another one would be a call that the model did not ask for.
    if (isObject(value) && findInexactNumbers(written).length === 0) return { input: value };
  } catch {
    // Text that is not JSON is kept as it is, so that the answer to the call can say what is wrong with it.
  }
  return { input: {}, input_text: written };
}
