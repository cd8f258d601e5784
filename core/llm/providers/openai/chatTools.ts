import { isObject, type Json, type JsonObject } from '../../../json.js';
import { toPlainTool } from '../../toolSchema.js';
import type { ToolDefinition } from '../../types.js';

export interface ChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
}

export function toChatTools(tools: readonly ToolDefinition[]): readonly ChatTool[] {
  return tools.map((tool) => {
    const { name, description, parameters } = toPlainTool(tool);
    return { type: 'function', function: { name, description, parameters: withItems(parameters) as JsonObject } };
  });
}

/** The API refuses a list without a schema for its items ("array schema missing items"), at any depth. */
function withItems(schema: Json): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(withItems);
  if (!isObject(schema)) return schema;
  const isList = schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array'));
  const lacksItems = isList && !Object.hasOwn(schema, 'items') && !Object.hasOwn(schema, 'prefixItems');
  const fields = Object.entries(schema).map(([key, value]): [string, Json] => [key, holdsValues.has(key) ? value : withItems(value)]);
  if (lacksItems) fields.push(['items', {}]);
  return Object.fromEntries(fields);
}

/** Keywords whose values only look like schemas. */
const holdsValues: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);
