import { isObject, type Json, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';

/** Another tool's file in a place of ours. */
export interface ForeignFile {
  /** With its article, to follow "looks like". */
  readonly what: string;
  /** The key that shows it. */
  readonly key: string;
  /** The importer that turns it into files of ours (`core/import`). */
  readonly from?: string;
}

interface ForeignFormat {
  readonly what: string;
  /** The host and path of its `$schema`. */
  readonly schema?: RegExp;
  /** The key that marks an object as one of these. */
  readonly mark?: Mark;
  readonly from?: string;
}

/** One entry for each format; the first that fits is told. */
const formats: readonly ForeignFormat[] = [
  {
    what: 'an OpenCode config',
    from: 'opencode',
    schema: /^opencode\.ai\//,
    mark: ({ mcp }) => (hasOpenCodeServer(mcp) ? 'mcp' : undefined),
  },
  {
    what: 'a Kiro or Amazon Q agent',
    from: 'kiro',
    schema: /amazon-q-developer|kiro/,
    mark: anyOf({ toolsSettings: isObject, toolAliases: isObject, includeMcpJson: isBoolean, useLegacyMcpJson: isBoolean }),
  },
  { what: 'a Microsoft 365 declarative agent', schema: /^developer\.microsoft\.com\/json-schemas\/copilot\// },
  {
    what: 'an A2A agent card',
    from: 'a2a',
    mark: anyOf({ protocolVersion: isString, defaultInputModes: isArray, supportedInterfaces: isArray }),
  },
  { what: 'an OpenAI assistant', mark: ({ object }) => (object === 'assistant' ? 'object' : undefined) },
  { what: 'an Amazon Bedrock agent', mark: anyOf({ foundationModel: isString, agentResourceRoleArn: isString }) },
  { what: 'an AutoGen component', mark: anyOf({ component_type: isString, component_version: isNumber }) },
  { what: 'a serialized LangChain object', mark: anyOf({ lc: isNumber }) },
  { what: 'a LangGraph application', mark: allOf({ graphs: isObject, dependencies: isArray }) },
  { what: 'a CrewAI agent', from: 'crewai', mark: allOf({ role: isString, goal: isString, backstory: isString }) },
  { what: 'a CrewAI crew', from: 'crewai', mark: (value) => (isCrew(value) ? 'tasks' : undefined) },
  { what: 'a list of CrewAI agents', from: 'crewai', mark: (value) => Object.keys(value).find((key) => isCrewAgent(value[key])) },
  { what: 'a promptfoo config', schema: /promptfoo/, mark: allOf({ prompts: isArray, providers: isArray }) },
  { what: 'an n8n workflow', mark: allOf({ nodes: isArray, connections: isObject }) },
  { what: 'a Flowise or Langflow flow', mark: (value) => flowKey(value) },
  {
    what: 'a list of MCP servers',
    mark: (value) => (isObject(value.mcpServers) && hasOnly(value, 'mcpServers') ? 'mcpServers' : undefined),
  },
  { what: 'an OpenAPI description', mark: anyOf({ openapi: isString, swagger: isString }) },
  { what: 'an npm package', mark: anyOf({ devDependencies: isObject, scripts: isObject, dependencies: isObject }) },
  { what: 'a TypeScript config', mark: anyOf({ compilerOptions: isObject }) },
  { what: 'a JSON Schema', schema: /^json-schema\.org\// },
];

/** Whichever kind it is: a file with one of these has been written for this project. */
const ownKeys = [
  'agent_name',
  'agent_type',
  'system_text',
  'purpose_text',
  'persona_key',
  'llm_config_id',
  'llm_id',
  'model_name',
  'output_schema',
  'entry_team',
  '$ignore',
];

/** The kinds whose places or names other tools use as well. */
const shared: ReadonlySet<Kind> = new Set(['agent', 'llm', 'persona', 'prompt', 'orchestration', 'system', 'mcp', 'payload']);

/**
 * The tool that a file belongs to, recognised by its `$schema` or by keys that only that tool uses. Undefined for every other file, invalid ones
 * included: those are ours to check.
 *
 * @param value with its `$schema` and `$ignore`
 */
export function findForeign(value: JsonObject, kind: Kind): ForeignFile | undefined {
  if (!shared.has(kind) || ownKeys.some((key) => Object.hasOwn(value, key))) return undefined;
  // Most MCP clients keep their servers under this name: a file to adapt.
  if (kind === 'mcp' && (isObject(value.servers) || Object.hasOwn(value, 'mcpServers'))) return undefined;
  if (kind === 'payload' && ['input', 'context', 'cases'].some((key) => Object.hasOwn(value, key))) return undefined;
  const { $schema } = value;
  if (typeof $schema === 'string' && ourSchema.test($schema)) return undefined;
  const schema = typeof $schema === 'string' ? /^https?:\/\/(?:www\.)?(.+)$/.exec($schema)?.[1] : undefined;
  for (const { what, from, schema: pattern, mark } of formats) {
    const key = schema !== undefined && pattern?.test(schema) ? '$schema' : mark?.(value);
    if (key !== undefined) return { what, key, ...(from !== undefined && { from }) };
  }
  return schema === undefined ? undefined : { what: `a file of ${schema.split(/[/?#]/, 1)[0]}`, key: '$schema' };
}

/** However it is reached: by id, by path or by address. */
const ourSchema = /(?:^|[/:])(?:agent|agentstack|baseline|llm|lock|mcp|orchestration|payload|persona|prompt|system)\.schema\.json(?:#|$)/;

type Is = (value: Json | undefined) => boolean;
type Mark = (value: JsonObject) => string | undefined;

function anyOf(marks: Readonly<Record<string, Is>>): Mark {
  return (value) => Object.keys(marks).find((key) => Object.hasOwn(value, key) && marks[key]?.(value[key]));
}

function allOf(marks: Readonly<Record<string, Is>>): Mark {
  const keys = Object.keys(marks);
  return (value) => (keys.every((key) => Object.hasOwn(value, key) && marks[key]?.(value[key])) ? keys[0] : undefined);
}

function isString(value: Json | undefined): value is string {
  return typeof value === 'string';
}

function isNumber(value: Json | undefined): value is number {
  return typeof value === 'number';
}

function isBoolean(value: Json | undefined): value is boolean {
  return typeof value === 'boolean';
}

function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function hasOnly(value: JsonObject, key: string): boolean {
  return Object.keys(value).every((other) => other === key || other === '$schema');
}

/** Each server is `local` or `remote`, whose command is a list. */
function hasOpenCodeServer(servers: Json | undefined): boolean {
  return (
    isObject(servers) && Object.values(servers).some((server) => isObject(server) && (server.type === 'local' || server.type === 'remote'))
  );
}

function isCrewAgent(value: Json | undefined): boolean {
  return isObject(value) && isString(value.role) && isString(value.goal) && isString(value.backstory);
}

function isCrew({ agents, tasks }: JsonObject): boolean {
  if (agents === undefined || !Array.isArray(tasks)) return false;
  return tasks.some((task: Json) => isObject(task) && Object.hasOwn(task, 'expected_output'));
}

function flowKey(value: JsonObject): string | undefined {
  const isFlow = (flow: Json | undefined) => isObject(flow) && Array.isArray(flow.nodes) && Array.isArray(flow.edges);
  return isFlow(value) ? 'nodes' : isFlow(value.data) ? 'data' : undefined;
}
