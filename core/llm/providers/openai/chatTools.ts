import type { JsonObject } from '../../../json.js';
import type { ToolDefinition } from '../../types.js';

export interface ChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
}

/**
 * Turns tools into the form of Chat Completions. A loop sends the same list again in every step: the same frozen list gives the same
 * frozen object, whose text the request writer keeps.
 */
export function createToolConverter(): (tools: readonly ToolDefinition[]) => readonly ChatTool[] {
  const known = new WeakMap<readonly ToolDefinition[], readonly ChatTool[]>();
  return (tools) => {
    const before = known.get(tools);
    if (before !== undefined) return before;
    const made = Object.freeze(tools.map(toChatTool));
    if (Object.isFrozen(tools) && tools.every((tool) => Object.isFrozen(tool))) known.set(tools, made);
    return made;
  };
}

function toChatTool({ name, description, parameters }: ToolDefinition): ChatTool {
  return Object.freeze({ type: 'function', function: Object.freeze({ name, description, parameters }) });
}
