import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { findTemplatePaths } from '../prompt/template.js';
import type { EffectiveAgent } from '../snapshot/effective.js';

type InputFields = Pick<EffectiveAgent, 'input_keys' | 'input_schema' | 'template' | 'execution_plan'>;

/** The key of a payload that is a single text, as `agent-stack run --message` writes it. */
const messageKey = 'message';

/**
 * What an agent takes, as a JSON Schema with an object at its root: its `input_schema` with the `input_keys` required; without both the keys that its
 * template or plan names, else one text.
 */
export function inputSchemaOf({ input_keys = [], input_schema, template, execution_plan }: InputFields): JsonObject {
  if (input_schema === undefined && input_keys.length === 0) {
    // A template cannot do without what it names. A step of a plan may never come.
    const required = keysNamedIn(template ?? '');
    const templateKeys = new Set([...required, ...keysNamedIn(execution_plan === undefined ? '' : JSON.stringify(execution_plan))]);
    return templateKeys.size === 0 ? textSchema : withKeys({}, templateKeys, required);
  }
  return withKeys(input_schema ?? {}, input_keys, input_keys);
}

/** The input of an orchestration is laid over its context: it may give any key, and needs none. */
export function contextSchemaOf(context: Json): JsonObject {
  const entries = isObject(context) ? Object.entries(context) : [];
  if (entries.length === 0) return textSchema;
  const properties = entries.map(([key, value]): [string, Json] => [key, { ...typeOf(value), description: defaultWords(value) }]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: true };
}

/**
 * The key for a text that comes instead of an object: the only required one, or the only one, where it takes a text.
 *
 * @param schema of `inputSchemaOf` or `contextSchemaOf`
 */
export function textKeyOf({ properties, required }: JsonObject): string | undefined {
  const schemas = isObject(properties) ? properties : {};
  const needed = listOf(required).filter((key) => typeof key === 'string');
  const candidates = needed.length > 0 ? needed : Object.keys(schemas).filter((key) => takesText(schemas[key]));
  const [only] = candidates;
  return candidates.length === 1 && only !== undefined && takesText(schemas[only] ?? true) ? only : undefined;
}

const textSchema: JsonObject = {
  type: 'object',
  properties: { [messageKey]: { type: 'string', description: 'The text for the agent.' } },
  additionalProperties: true,
};

function withKeys(schema: JsonObject, keys: Iterable<string>, needed: readonly string[]): JsonObject {
  const declared = isObject(schema.properties) ? schema.properties : {};
  const added = [...keys].filter((key) => !Object.hasOwn(declared, key)).map((key): [string, Json] => [key, { description: anyValue }]);
  const required = [...new Set([...listOf(schema.required), ...needed])];
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
  return text.length > longestDefault ? 'Default: as the orchestration says.' : `Default: ${text}`;
}
