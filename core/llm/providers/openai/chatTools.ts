import { isObject, type Json, type JsonObject } from '../../../json.js';
import { toPlainTool } from '../../toolSchema.js';
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

function toChatTool(tool: ToolDefinition): ChatTool {
  const { name, description, parameters } = toPlainTool(tool);
  return Object.freeze({
    type: 'function',
    function: Object.freeze({ name, description, parameters: withItems(parameters) as JsonObject }),
  });
}

/** A frozen copy. The API refuses a list that says nothing of its members ("array schema missing items"), wherever it stands. */
function withItems(schema: Json): Json {
  if (Array.isArray(schema)) return Object.freeze((schema as readonly Json[]).map(withItems));
  if (!isObject(schema)) return schema;
  const isList = schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array'));
  const lacksItems = isList && !Object.hasOwn(schema, 'items') && !Object.hasOwn(schema, 'prefixItems');
  const fields = Object.entries(schema).map(([key, value]): [string, Json] => [
    key,
    holdsValues.has(key) ? frozenCopy(value) : withItems(value),
  ]);
  if (lacksItems) fields.push(['items', Object.freeze({})]);
  return Object.freeze(Object.fromEntries(fields));
}

function frozenCopy(value: Json): Json {
  if (Array.isArray(value)) return Object.freeze((value as readonly Json[]).map(frozenCopy));
  if (!isObject(value)) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, frozenCopy(member)])));
}

/** Keywords whose values only look like schemas. */
const holdsValues: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);
