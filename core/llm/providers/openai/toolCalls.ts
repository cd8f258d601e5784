import { isObject, type Json, type JsonObject } from '../../../json.js';
import { toToolInput } from '../../toolCalls.js';
import type { ToolUseBlock } from '../../types.js';

/** Assembles the tool calls of one answer, whole or from the deltas of a stream. */
export interface ToolCalls {
  /** Adds the calls of a whole message or of a delta, and returns how many characters they add. */
  take(message: JsonObject, form: 'whole' | 'delta'): number;
  /** The calls in the order they started. */
  blocks(): ToolUseBlock[];
}

interface Call {
  readonly index: Json | undefined;
  id: string;
  name: string;
  /** A text as it grows, or the value of a server that does not send a text. */
  written: Json | undefined;
}

/**
 * A delta belongs to the call with its `index`. Servers that leave the index out, or use the same one for every call, start a call with a new
 * id or name, and send it whole.
 *
 * @param idOf gives a call its id, from the one the server sent, if it did
 */
export function createToolCalls(idOf: (sentId: unknown) => string): ToolCalls {
  const calls: Call[] = [];

  const take = (message: JsonObject, form: 'whole' | 'delta'): number => {
    let added = 0;
    for (const [place, delta] of deltasOf(message).entries()) {
      const { name, arguments: more } = isObject(delta.function) ? delta.function : ({} as JsonObject);
      const isOwn = form === 'whole' || (place > 0 && typeof delta.index !== 'number');
      const open = isOwn ? undefined : openCall(delta);
      const call = open !== undefined && !isAnother(open, delta, name, more) ? open : begin(delta.index);
      if (call.id === '' && typeof delta.id === 'string') call.id = delta.id;
      if (call.name === '' && typeof name === 'string') call.name = name;
      if (more === undefined || more === null) continue;
      call.written = typeof more === 'string' && typeof call.written === 'string' ? call.written + more : more;
      added += typeof more === 'string' ? more.length : 1;
    }
    return added;
  };
  /** The latest call that the delta may continue. */
  const openCall = ({ index }: JsonObject): Call | undefined =>
    typeof index === 'number' ? calls.findLast((call) => call.index === index) : calls.at(-1);
  const begin = (index: Json | undefined): Call => {
    const call: Call = { index, id: '', name: '', written: undefined };
    calls.push(call);
    return call;
  };

  return {
    take,
    blocks: () => calls.map(({ id, name, written }) => ({ type: 'tool_use', id: idOf(id), name, ...toToolInput(written) })),
  };
}

/** Whether a delta starts a new call although neither index nor id says so. */
function isAnother(open: Call, { id }: JsonObject, name: Json | undefined, more: Json | undefined): boolean {
  const hasName = typeof name === 'string' && name !== '';
  if (typeof id === 'string' && id !== '' && open.id !== '') return id !== open.id && hasName;
  // Some servers repeat the name in every delta, before the input is complete.
  return hasName && open.name !== '' && more !== undefined && more !== null && more !== '' && isWhole(open.written);
}

function isWhole(written: Json | undefined): boolean {
  if (typeof written !== 'string') return written !== undefined;
  return toToolInput(written).input_text === undefined && written.trim() !== '';
}

function deltasOf({ tool_calls, function_call }: JsonObject): JsonObject[] {
  if (Array.isArray(tool_calls)) return (tool_calls as readonly Json[]).filter(isObject);
  // The format before tools, which some servers still use.
  return isObject(function_call) ? [{ function: function_call }] : [];
}
