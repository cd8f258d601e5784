import { isObject, type Json, type JsonObject } from '../../json.js';
import { compareNatural } from '../../names.js';
import type { McpConnection, RequestOptions } from './connection.js';
import { mostListed, mostPages } from './limits.js';
import type { ListedTool } from './lock.js';
import { McpFailure } from './mcpFailure.js';

/** A tool with what only a call needs. */
export interface ServerTool extends ListedTool {
  /** Schema of the structured content it promises. */
  readonly output_schema?: JsonObject;
}

type Warn = (message: string) => void;

/** Longest description and schema of one tool together, in characters: a prompt has to hold them. */
const longestTool = 256 * 1024;

/**
 * Every tool a server lists, page by page, in natural order of their names: a prompt that differs only in the order of its tools is not found in
 * a provider's cache. What is not a tool is left out, with a warning.
 *
 * @throws McpFailure, or the signal's reason
 */
export async function listTools(connection: McpConnection, options: RequestOptions, warn: Warn): Promise<readonly ServerTool[]> {
  if (!connection.offers.tools) return [];
  const tools = new Map<string, ServerTool>();
  for (const item of await listAll(connection, 'tools', options, warn)) {
    const tool = toTool(item);
    if (typeof tool === 'string') warn(`lists a tool that is left out: ${tool}`);
    else if (tools.has(tool.name)) warn(`lists the tool ${JSON.stringify(tool.name)} twice; the first is taken`);
    else tools.set(tool.name, tool);
  }
  return [...tools.values()].sort((left, right) => compareNatural(left.name, right.name));
}

/** All items of a list, bounded in number and pages. */
export async function listAll(
  connection: McpConnection,
  kind: 'tools' | 'prompts' | 'resources',
  options: RequestOptions,
  warn: Warn,
): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  const cursors = new Set<string>();
  for (let page = 0; page < mostPages; page += 1) {
    const cursor = [...cursors].at(-1);
    const result = await connection.request(`${kind}/list`, cursor === undefined ? {} : { cursor }, options);
    const listed = result[kind];
    if (!Array.isArray(listed)) throw new McpFailure('refused', `its answer to ${kind}/list has no list of ${kind}`);
    const objects = (listed as readonly Json[]).filter(isObject);
    const others = listed.length - objects.length;
    if (others > 0) warn(`lists ${kind} that are left out: ${others} of them ${others === 1 ? 'is not an object' : 'are not objects'}`);
    items.push(...objects.slice(0, mostListed + 1 - items.length));
    if (items.length > mostListed) {
      warn(`lists more than ${mostListed} ${kind}; the rest is left out`);
      return items.slice(0, mostListed);
    }
    const { nextCursor } = result;
    if (typeof nextCursor !== 'string' || nextCursor === '') return items;
    if (cursors.has(nextCursor)) {
      warn(`lists the same page of ${kind} again and again; what it listed first is taken`);
      return items;
    }
    cursors.add(nextCursor);
  }
  warn(`lists its ${kind} on more than ${mostPages} pages; the rest is left out`);
  return items;
}

/** The tool, or why it is none. */
function toTool({ name, description = '', inputSchema, outputSchema }: JsonObject): ServerTool | string {
  if (typeof name !== 'string' || name === '') return 'it has no name';
  const shown = JSON.stringify(name.slice(0, 100));
  if (typeof description !== 'string') return `the description of ${shown} is not text`;
  if (!isObject(inputSchema) || inputSchema.type !== 'object') return `the input schema of ${shown} describes no object`;
  if (name.length + description.length + JSON.stringify(inputSchema).length > longestTool) {
    return `description and schema of ${shown} have more than ${longestTool} characters`;
  }
  return { name, description, parameters: inputSchema, ...(isObject(outputSchema) && { output_schema: outputSchema }) };
}
