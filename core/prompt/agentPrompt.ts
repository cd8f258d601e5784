import type { Issue } from '../errors.js';
import { isObject, type JsonObject, pointerOf } from '../json.js';
import type { LlmSettings } from '../llm/types.js';
import type { SchemaCompiler, ValueCheck } from '../schema/schemaCompiler.js';
import type { FrozenTool } from '../snapshot/agentTools.js';
import { type EffectiveAgent, isPlain, type Mode, type Origin } from '../snapshot/effective.js';
import { compileOnce } from './compileOnce.js';
import { createComposer, type PromptShape } from './composePrompt.js';
import { type Field, findFields } from './fields.js';
import { speaksInText } from './loopParagraphs.js';
import { parseAnswer } from './parseAnswer.js';
import { createPayloadCheck } from './payloadCheck.js';
import { createResponseFormat, plainFormatName, takesResponseFormat, toFormatName } from './responseFormat.js';
import type { StrictViolation } from './strictSchema.js';
import type { ComposedPrompt, ParsedOutput, PromptTool } from './types.js';

/** One agent's configuration and everything derived from it alone. Immutable; every call depends only on its argument. */
export interface AgentPrompt {
  readonly agent_name: string;
  readonly version: string;
  readonly mode: Mode | undefined;
  readonly system_text: string | undefined;
  readonly purpose_text: string | undefined;
  readonly output_schema: JsonObject | undefined;
  /** The enums of the config, or else the string enums of the output schema. */
  readonly enums: { readonly [field: string]: readonly string[] };
  /** Empty if the agent has no defaults. */
  readonly defaults: JsonObject;
  /** Empty if the config names no model. */
  readonly model_name: string;
  readonly temperature: number | undefined;
  readonly top_p: number | undefined;
  readonly max_output_tokens: number | undefined;
  /** Why the response format is not strict; empty if it is, or if there is none. */
  readonly strict_reasons: readonly StrictViolation[];
  /** The issues of a payload: not an object, not JSON, a key of `input_keys` missing, a violation of `input_schema`. Empty if it is valid. */
  checkPayload(payload: unknown): readonly Issue[];
  /**
   * The messages for a payload; `tools` are those a run really has, default the frozen ones. @throws InputInvalidError if it is not a JSON
   * object, or lacks a path of the template
   */
  compose(payload: unknown, tools?: readonly PromptTool[]): ComposedPrompt;
  /** The parts of the messages, before there is a payload. */
  shape(): PromptShape;
  /**
   * The checked output of an answer: text, a completion (ours or of OpenAI's form), or an object already parsed.
   * @throws AgentPromptValidationError
   */
  parseAndValidate(raw: unknown): ParsedOutput;
}

export interface AgentPromptOptions {
  readonly config: EffectiveAgent;
  /** Where the values of `config` came from, for the source map: read when a source map is first used. Without it spans name no file. */
  readonly origins?: ReadonlyMap<string, Origin>;
  /** Tools as they are frozen with the config. Default: none. */
  readonly tools?: readonly FrozenTool[];
  /** Decides how the schema is sent. Default: the config's provider, then `openai`. */
  readonly llm?: Pick<LlmSettings, 'provider' | 'options'>;
  readonly schemas: SchemaCompiler;
}

/**
 * Makes the prompt of an effective config. Schemas are compiled when first needed, so that a prompt can be shown while its schema
 * is being written; one that cannot be compiled makes that call throw ConfigInvalidError.
 */
export function createAgentPrompt(options: AgentPromptOptions): AgentPrompt {
  const { config, tools = [], llm, schemas } = options;
  const { agent_name, version, output_schema, model_name, defaults = {} } = config;
  const takesFormat = takesResponseFormat(llm ?? { provider: config.provider ?? 'openai' }) && !speaksInText(config);
  const prepared =
    output_schema && takesFormat && config.agent_type !== 'orchestrating'
      ? createResponseFormat({ name: isPlain(config) ? plainFormatName : toFormatName(agent_name, version), output_schema, model_name })
      : undefined;
  const fields = findFields(config);
  const { compose, shape } = createComposer({
    config,
    fields,
    origins: () => options.origins,
    tools,
    response_format: prepared?.format ?? null,
  });
  const checkOutput = compileOnce(schemas, config, 'output_schema');
  const checkListed = checkChoices(fields);
  let names: ReadonlySet<string> | undefined;

  return Object.freeze<AgentPrompt>({
    agent_name,
    version,
    mode: config.mode,
    system_text: config.system_text,
    purpose_text: config.purpose_text,
    output_schema,
    enums: config.enums ?? enumsOf(fields),
    defaults,
    model_name: model_name ?? '',
    temperature: config.temperature,
    top_p: config.top_p,
    max_output_tokens: config.max_output_tokens,
    strict_reasons: prepared?.strict_reasons ?? [],
    compose,
    shape,
    checkPayload: createPayloadCheck(config, schemas),
    parseAndValidate(raw) {
      const check = checkOutput();
      names ??= new Set(fields.map(({ name }) => name));
      const allNames = names;
      return parseAnswer(raw, {
        check: checkListed ? (value) => [...check(value), ...checkListed(value)] : check,
        defaults,
        isField: (name) => allNames.has(name),
      });
    },
  });
}

/** Enforces the lists that are only in `enums`; if the schema has the enum too, its own check enforces it. */
function checkChoices(fields: readonly Field[]): ValueCheck | undefined {
  const listed = fields.filter(({ choices }) => choices?.[0]?.pointer.startsWith('/enums/'));
  if (listed.length === 0) return undefined;
  return (value) => {
    if (!isObject(value)) return [];
    return listed.flatMap(({ name, choices = [] }) => {
      if (!Object.hasOwn(value, name)) return [];
      const allowed = choices.map((choice) => choice.value);
      const chosen = value[name];
      const members = Array.isArray(chosen) ? chosen : [chosen];
      if (members.every((member) => member === null || allowed.includes(member ?? null))) return [];
      return [
        {
          path: pointerOf(name),
          keyword: 'enum',
          message: `must be one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`,
          allowed,
        },
      ];
    });
  };
}

/** The fields that the output schema limits to lists of strings. */
function enumsOf(fields: readonly Field[]): AgentPrompt['enums'] {
  const lists = fields.flatMap(({ name, choices = [] }) => {
    const values = choices.map(({ value }) => value);
    return values.length > 0 && values.every((value) => typeof value === 'string') ? [[name, values] as const] : [];
  });
  return Object.fromEntries(lists);
}
