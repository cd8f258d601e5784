import type { Json, JsonObject } from '../json.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { InputOf } from './inputOf.js';
import type { Tool, ToolContext, ToolOutcome } from './types.js';

/** A tool as an embedder writes it. */
export interface ToolOptions<Parameters extends JsonObject> {
  /** `[a-zA-Z0-9_-]{1,64}`, which every provider takes. Agents name it in `enabled_tools`. */
  readonly name: string;
  /** When to use it and what comes back, for the model. */
  readonly description: string;
  /** JSON Schema of the input, root type object. Default: no input. */
  readonly parameters?: Parameters;
  /** Inputs that show how it is used; they go into the prompt. */
  readonly examples?: readonly JsonObject[];
  /** Whether a second call with the same input does no harm: only such a tool is tried again. Default false. */
  readonly idempotent?: boolean;
  /** Whether it changes anything outside. Default true. */
  readonly side_effects?: boolean;
  /** Tools that go first when they are asked for in the same turn. */
  readonly dependencies?: readonly string[];
  /** Whether each call has to be approved. Default false: registering a tool approves it. */
  readonly needs_approval?: boolean;
  /** Longest time of one call, in ms. Default: the time the run has left. */
  readonly timeout_ms?: number;
  /**
   * One call, with an input that meets `parameters`. A text is what the model is told; any other JSON is told as JSON; a `ToolOutcome` (an
   * object with `content`) says all there is to say. What is thrown is told to the model.
   */
  call(input: InputOf<Parameters>, context: ToolContext): Promise<ToolOutcome | Json> | ToolOutcome | Json;
}

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;
const noInput = { type: 'object', properties: {}, additionalProperties: false } as const;

/**
 * A tool of an embedder. The type of `input` follows from `parameters` as far as it is a plain schema.
 * @throws TypeError for a name that providers refuse, an empty description, or parameters whose root is no object
 */
export function defineTool<const Parameters extends JsonObject = typeof noInput>(options: ToolOptions<Parameters>): Tool {
  const { name, description, parameters = noInput, idempotent = false, side_effects = true, needs_approval = false } = options;
  const { examples, dependencies, timeout_ms } = options;
  if (!namePattern.test(name))
    throw new TypeError(`A tool cannot be called ${JSON.stringify(name)}: 1 to 64 letters, digits, "_" and "-".`);
  if (description.trim() === '') throw new TypeError(`The tool ${name} has no description, by which a model could choose it.`);
  if (parameters.type !== 'object') throw new TypeError(`The parameters of the tool ${name} must be a JSON Schema with "type": "object".`);
  return Object.freeze<Tool>({
    name,
    description,
    parameters,
    idempotent,
    side_effects,
    needs_approval,
    ...(examples && { examples }),
    ...(dependencies && { dependencies }),
    ...(timeout_ms !== undefined && { timeout_ms }),
    origin: { type: 'skill' },
    // The loop has checked the input against the parameters, which is what its type says.
    call: async (input, context) => toOutcome(await options.call(input as InputOf<Parameters>, context)),
  });
}

/** The tools of an embedder, checked. It never changes: with other tools, make another. */
export interface ToolRegistry {
  readonly tools: readonly Tool[];
  get(name: string): Tool | undefined;
  /** Checks schemas and examples. @throws TypeError naming the tool and what is wrong */
  check(compiler: SchemaCompiler): void;
}

/** @throws TypeError for a name that is there twice */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new TypeError(`There are two tools called ${tool.name}.`);
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
          throw new TypeError(`The parameters of the tool ${name} are no JSON Schema: ${problem?.pointer ?? ''} ${problem?.message ?? ''}`);
        }
        for (const example of examples) {
          const [issue] = schema.check(example);
          if (issue) throw new TypeError(`An example of the tool ${name} does not meet its parameters: ${issue.path} ${issue.message}`);
        }
      }
    },
  });
}

function toOutcome(returned: ToolOutcome | Json): ToolOutcome {
  if (isOutcome(returned)) return returned;
  // What a function without `return` gives back, in spite of its type.
  const value = returned ?? null;
  return { content: typeof value === 'string' ? value : JSON.stringify(value), value };
}

function isOutcome(returned: ToolOutcome | Json): returned is ToolOutcome {
  return (
    typeof returned === 'object' &&
    returned !== null &&
    Object.hasOwn(returned, 'content') &&
    typeof (returned as ToolOutcome).content === 'string'
  );
}
