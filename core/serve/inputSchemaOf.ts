import { orchestrationInputs } from '../config/orchestrationParts.js';
import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { templatesOf } from '../prompt/agentTemplates.js';
import { findTemplatePaths } from '../prompt/template.js';
import type { EffectiveAgent } from '../snapshot/effective.js';
import type { FrozenOrchestration } from '../snapshot/snapshotValue.js';

type InputFields = Pick<
  EffectiveAgent,
  'agent_type' | 'mode' | 'template' | 'system_text' | 'user_text' | 'input_keys' | 'input_schema' | 'execution_plan'
>;

/** The key of a single text in a payload, as in `agent-stack run --message`. */
const messageKey = 'message';

/**
 * The input of an agent as a JSON Schema with an object at its root: its `input_schema` with the `input_keys` required; without both, the keys in
 * its templates or plan, else one text.
 */
export function inputSchemaOf(config: InputFields): JsonObject {
  const { input_keys = [], input_schema, execution_plan } = config;
  if (input_schema === undefined && input_keys.length === 0) {
    // A template needs all its keys. A step of a plan may never run.
    const required = templatesOf(config).flatMap(({ text }) => keysNamedIn(text));
    const templateKeys = new Set([...required, ...keysNamedIn(execution_plan === undefined ? '' : JSON.stringify(execution_plan))]);
    return templateKeys.size === 0 ? textSchema : withKeys({}, templateKeys, required);
  }
  return withKeys(input_schema ?? {}, input_keys, input_keys);
}

/** The input of an orchestration is merged over its context: any key is allowed, and those are required that have no default there. */
export function contextSchemaOf(frozen: Pick<FrozenOrchestration, 'input_keys' | 'input_schema' | 'context'>): JsonObject {
  const keys = orchestrationInputs(frozen);
  if (keys.length === 0 && frozen.input_schema === undefined) return textSchema;
  const properties = keys.map(({ name, schema, fallback }): [string, Json] => {
    const words = fallback === undefined ? undefined : defaultWords(fallback);
    return [name, schema ?? (words === undefined ? { description: anyValue } : { ...typeOf(fallback ?? null), description: words })];
  });
  const required = keys.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
  const { required: _, ...schema } = frozen.input_schema ?? { additionalProperties: true };
  return { ...schema, type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

/**
 * The key for an input that is a text instead of an object: the only required one, or the only one that accepts a text.
 *
 * @param schema of `inputSchemaOf` or `contextSchemaOf`
 */
export function textKeyOf({ properties, required }: JsonObject): string | undefined {
  const schemas = isObject(properties) ? properties : {};
  const requiredKeys = listOf(required).filter((key) => typeof key === 'string');
  const candidates = requiredKeys.length > 0 ? requiredKeys : Object.keys(schemas).filter((key) => takesText(schemas[key]));
  const [only] = candidates;
  return candidates.length === 1 && only !== undefined && takesText(schemas[only] ?? true) ? only : undefined;
}

const textSchema: JsonObject = {
  type: 'object',
  properties: { [messageKey]: { type: 'string', description: 'The text for the agent.' } },
  additionalProperties: true,
};

function withKeys(schema: JsonObject, keys: Iterable<string>, requiredKeys: readonly string[]): JsonObject {
  const declared = isObject(schema.properties) ? schema.properties : {};
  const added = [...keys].filter((key) => !Object.hasOwn(declared, key)).map((key): [string, Json] => [key, { description: anyValue }]);
  const required = [...new Set([...listOf(schema.required), ...requiredKeys])];
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries([...Object.entries(declared), ...added]),
    ...(required.length > 0 && { required }),
  };
}

const anyValue = 'A text, or any other JSON value.';

/** First segments of `{{input.key}}` and `{{input.key.more}}`, each once. */
function keysNamedIn(text: string): readonly string[] {
  const paths = findTemplatePaths(text).flatMap(({ segments: [root, key] }) => (root === 'input' && key !== undefined ? [key] : []));
  return [...new Set(paths)];
}

function takesText(schema: Json | undefined): boolean {
  if (schema === true) return true;
  if (!isObject(schema)) return false;
  const { type } = schema;
  return type === undefined || type === 'string' || listOf(type).includes('string');
}

function typeOf(value: Json): JsonObject {
  if (value === null) return {};
  return { type: Array.isArray(value) ? 'array' : typeof value };
}

const longestDefault = 100;

function defaultWords(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > longestDefault ? 'Default: as in the orchestration.' : `Default: ${text}`;
}
