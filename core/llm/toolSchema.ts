import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import type { ToolDefinition } from './types.js';

/** Keywords with which OpenAI and Anthropic refuse the whole request at the root of a tool's parameters, but not deeper down. As of 2026-11. */
const refusedAtRoot: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'];

/**
 * A tool whose parameters every provider accepts: an object with `properties` (servers leave them out for a tool without any), without
 * alternatives at its root. Their fields are merged, and the removed parts are added to the description; the call is still checked against all of it.
 * A tool that fits already is returned unchanged.
 */
export function toPlainTool(tool: ToolDefinition): ToolDefinition {
  const { parameters } = tool;
  const refused = refusedAtRoot.filter((keyword) => Object.hasOwn(parameters, keyword));
  if (refused.length === 0 && isObject(parameters.properties)) return tool;
  const kept = Object.entries(parameters).filter(([keyword]) => !refused.includes(keyword));
  const rule = Object.fromEntries(refused.map((keyword): [string, Json] => [keyword, parameters[keyword] ?? null]));
  return {
    ...tool,
    description: [tool.description, ...(refused.length > 0 ? [`The input must also fit ${JSON.stringify(rule)}.`] : [])].join('\n').trim(),
    parameters: { ...Object.fromEntries(kept), properties: fieldsOf(parameters) },
  };
}

/** Its own fields, then those that only the alternatives have. */
function fieldsOf({ properties, anyOf, oneOf, allOf }: JsonObject): JsonObject {
  const fields = new Map(Object.entries(isObject(properties) ? properties : {}));
  for (const branch of [anyOf, oneOf, allOf].flatMap(listOf)) {
    if (!isObject(branch) || !isObject(branch.properties)) continue;
    for (const [name, schema] of Object.entries(branch.properties)) if (!fields.has(name)) fields.set(name, schema);
  }
  return Object.fromEntries(fields);
}
