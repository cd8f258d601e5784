import { flagLabels, labelsIn } from '../config/toolLabels.js';
import type { Issue } from '../errors.js';
import type { ToolLabels } from '../generated/types.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { InputOf } from './inputOf.js';
import { isStandardSchema, jsonSchemaOf, type StandardOutput, type StandardSchema, validateWith } from './standardSchema.js';
import type { Tool, ToolContext, ToolOutcome } from './types.js';

/** The definition of an embedder's tool. */
export interface ToolOptions<Parameters extends JsonObject | StandardSchema> {
  /** `[a-zA-Z0-9_-]{1,64}`, which every provider accepts. Agents name it in `enabled_tools`. */
  readonly name: string;
  /** When to use it and what comes back, for the model. */
  readonly description: string;
  /** JSON Schema of the input, root type object; or a Standard Schema (Zod, Valibot, ArkType), whose output `call` gets. Default: no input. */
  readonly parameters?: Parameters;
  /** JSON Schema of the input, if `parameters` is a Standard Schema whose vendor provides none. */
  readonly json_schema?: JsonObject;
  /** Inputs that show how it is used; they go into the prompt. */
  readonly examples?: readonly JsonObject[];
  /** Whether a second call with the same input is harmless: only such a tool is retried. Default false. */
  readonly idempotent?: boolean;
  /** Whether it changes anything outside. Default true. */
  readonly side_effects?: boolean;
  /** What it does, for policies: complete, a label that is left out is false. Default: unknown. */
  readonly labels?: ToolLabels;
  /** Tools that run first if they are called in the same turn. */
  readonly dependencies?: readonly string[];
  /** Whether each call needs approval. Default false: registering a tool approves it. */
  readonly needs_approval?: boolean;
  /** Longest time of one call, in ms. Default: the run's remaining time. */
  readonly timeout_ms?: number;
  /**
   * One call, with an input that matches `parameters`. The model gets a returned text unchanged, and any other JSON as JSON; a `ToolOutcome` (an
   * object with `content`) sets everything. The model also gets the message of a thrown error.
   */
  call(input: ToolInput<Parameters>, context: ToolContext): Promise<ToolOutcome | Json> | ToolOutcome | Json;
}

/** The type of the input of `call`. */
export type ToolInput<Parameters> = Parameters extends StandardSchema ? StandardOutput<Parameters> : InputOf<Parameters>;

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;
const noInput = { type: 'object', properties: {}, additionalProperties: false } as const;

/**
 * Defines a tool of an embedder. The type of `input` follows from `parameters`, for a JSON Schema as far as it is plain.
 * @throws TypeError for a name that providers refuse, an empty description, parameters whose root is not an object, or a Standard Schema without JSON Schema
 */
export function defineTool<const Parameters extends JsonObject | StandardSchema = typeof noInput>(options: ToolOptions<Parameters>): Tool {
  const { name, description, idempotent = false, side_effects = true, needs_approval = false } = options;
  const { examples, labels, dependencies, timeout_ms } = options;
  if (!namePattern.test(name)) throw new TypeError(`A tool cannot be named ${JSON.stringify(name)}: 1 to 64 letters, digits, "_" and "-".`);
  if (description.trim() === '') throw new TypeError(`The tool ${name} has no description, by which a model could choose it.`);
  const parameters = parametersOf(options);
  if (parameters.type !== 'object') throw new TypeError(`The parameters of the tool ${name} must be a JSON Schema with "type": "object".`);
  if (labels !== undefined && labelsIn(labels) === undefined) {
    const others = flagLabels.map((label) => `"${label}"`).join(', ');
    throw new TypeError(`The labels of the tool ${name} must be "reads" ("public" or "private"), and ${others} (true or false).`);
  }
  return Object.freeze<Tool>({
    name,
    description,
    parameters,
    idempotent,
    side_effects,
    needs_approval,
    ...(examples && { examples }),
    ...(labels && { labels }),
    ...(dependencies && { dependencies }),
    ...(timeout_ms !== undefined && { timeout_ms }),
    origin: { type: 'skill' },
    async call(input, context) {
      // The loop has validated the input with the JSON Schema, which gives its type.
      if (!isStandardSchema(options.parameters)) return toOutcome(await options.call(input as ToolInput<Parameters>, context));
      const checked = await validateWith(options.parameters, input);
      if ('issues' in checked) return refusal(name, checked.issues);
      return toOutcome(await options.call(checked.value as ToolInput<Parameters>, context));
    },
  });
}

interface ToolParameters {
  readonly name: string;
  readonly parameters?: JsonObject | StandardSchema;
  readonly json_schema?: JsonObject;
}

function parametersOf({ name, parameters, json_schema }: ToolParameters): JsonObject {
  if (json_schema !== undefined) return json_schema;
  if (parameters === undefined) return noInput;
  if (!isStandardSchema(parameters)) return parameters;
  const { vendor } = parameters['~standard'];
  const remedy = 'Give the JSON Schema as "json_schema" beside them.';
  let schema: JsonObject | undefined;
  try {
    schema = jsonSchemaOf(parameters);
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`The parameters of the tool ${name} have no JSON Schema, says ${vendor}: ${words} ${remedy}`, { cause });
  }
  if (schema === undefined)
    throw new TypeError(`The parameters of the tool ${name} are a schema of ${vendor}, which provides no JSON Schema. ${remedy}`);
  return schema;
}

function refusal(name: string, issues: readonly Issue[]): ToolOutcome {
  const lines = issues.map(({ path, message }) => `- ${path === '' ? 'the input' : path}: ${message}`);
  return { content: `The input does not fit ${name}, which was not called:\n${lines.join('\n')}`, is_error: true };
}

/** The validated tools of an embedder. Immutable. */
export interface ToolRegistry {
  readonly tools: readonly Tool[];
  get(name: string): Tool | undefined;
  /** Checks schemas and examples. @throws TypeError naming the tool and its fault */
  check(compiler: SchemaCompiler): void;
}

/** @throws TypeError for a value that is not a tool, and for a duplicate name */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (!isTool(tool)) throw new TypeError(`Make every tool with defineTool: ${JSON.stringify(tool)} is none.`);
    if (byName.has(tool.name)) throw new TypeError(`There are two tools named ${tool.name}.`);
    byName.set(tool.name, tool);
  }
  return Object.freeze<ToolRegistry>({
    tools: Object.freeze([...tools]),
    get: (name) => byName.get(name),
    check(compiler) {
      for (const { name, parameters, examples = [] } of tools) {
        const schema = compiler.compile(parameters);
        if (!schema.ok) {
          const [problem] = schema.problems;
          throw new TypeError(
            `The parameters of the tool ${name} are not a JSON Schema: ${problem?.pointer ?? ''} ${problem?.message ?? ''}`,
          );
        }
        for (const example of examples) {
          const [issue] = schema.check(example);
          if (issue) throw new TypeError(`An example of the tool ${name} does not match its parameters: ${issue.path} ${issue.message}`);
        }
      }
    },
  });
}

/** A JavaScript program may pass anything. */
function isTool(value: Partial<Tool> | null): boolean {
  return typeof value?.name === 'string' && typeof value.call === 'function' && isObject(value.parameters);
}

function toOutcome(returned: ToolOutcome | Json): ToolOutcome {
  if (isOutcome(returned)) return returned;
  // A function without `return` returns undefined, in spite of its type.
  const value = returned ?? null;
  return { content: typeof value === 'string' ? value : JSON.stringify(value), value };
}

function isOutcome(returned: ToolOutcome | Json): returned is ToolOutcome {
  return isObject(returned) && Object.hasOwn(returned, 'content') && typeof returned.content === 'string';
}
