import { annotationsIn } from '../../config/toolLabels.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { compareNatural } from '../../names.js';
import type { McpConnection, RequestOptions } from './connection.js';
import { mostListed, mostPages } from './limits.js';
import type { ListedTool } from './lock.js';
import { McpFailure } from './mcpFailure.js';

/** A tool, with the schema that only its calls need. */
export interface ServerTool extends ListedTool {
  /** Schema of its structured content. */
  readonly output_schema?: JsonObject;
}

type Warn = (message: string) => void;

/** Longest description and schema of one tool together, in characters: both go into the prompt. */
const longestTool = 256 * 1024;

/**
 * All tools of a server, page by page, in natural order of their names: another order would miss the provider's prompt cache. Invalid tools are
 * left out, with a warning.
 *
 * @throws McpFailure, or the signal's reason
 */
export async function listTools(connection: McpConnection, options: RequestOptions, warn: Warn): Promise<readonly ServerTool[]> {
  if (!connection.offers.tools) return [];
  const tools = new Map<string, ServerTool>();
  for (const item of await listAll(connection, 'tools', options, warn)) {
    const tool = toTool(item);
    if (typeof tool === 'string') warn(`lists a tool that is left out: ${tool}`);
    else if (tools.has(tool.name)) warn(`lists the tool ${JSON.stringify(tool.name)} twice; the first is used`);
    else tools.set(tool.name, tool);
  }
  return [...tools.values()].sort((left, right) => compareNatural(left.name, right.name));
}

/** All items of a list, limited in number and pages. */
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
    const invalid = listed.length - objects.length;
    if (invalid > 0) warn(`lists ${kind} that are left out: ${invalid} of them ${invalid === 1 ? 'is not an object' : 'are not objects'}`);
    items.push(...objects.slice(0, mostListed + 1 - items.length));
    if (items.length > mostListed) {
      warn(`lists more than ${mostListed} ${kind}; the rest is left out`);
      return items.slice(0, mostListed);
    }
    const { nextCursor } = result;
    if (typeof nextCursor !== 'string' || nextCursor === '') return items;
    if (cursors.has(nextCursor)) {
      warn(`lists the same page of ${kind} again and again; only its first items are used`);
      return items;
    }
    cursors.add(nextCursor);
  }
  warn(`lists its ${kind} on more than ${mostPages} pages; the rest is left out`);
  return items;
}

/** The tool, or why it is invalid. */
function toTool({ name, description = '', inputSchema, outputSchema, annotations }: JsonObject): ServerTool | string {
  if (typeof name !== 'string' || name === '') return 'it has no name';
  const quoted = JSON.stringify(name.slice(0, 100));
  if (typeof description !== 'string') return `the description of ${quoted} is not text`;
  if (!isObject(inputSchema) || inputSchema.type !== 'object') return `the input schema of ${quoted} does not describe an object`;
  if (name.length + description.length + JSON.stringify(inputSchema).length > longestTool) {
    return `description and schema of ${quoted} have more than ${longestTool} characters`;
  }
  const claims = annotationsIn(annotations);
  return {
    name,
    description,
    parameters: inputSchema,
    ...(claims && { annotations: claims }),
    ...(isObject(outputSchema) && { output_schema: outputSchema }),
  };
}
