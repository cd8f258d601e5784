import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { declaredSchema } from './declaredSchema.js';

const declarations = join(dirname(createRequire(import.meta.url).resolve('@anthropic-ai/sdk')), 'resources/messages/messages.d.ts');
const ajv = new Ajv({ strict: false, allErrors: false });
const fitsWhole = ajv.compile(declaredSchema(declarations, 'MessageCreateParamsNonStreaming'));
const fitsStreamed = ajv.compile(declaredSchema(declarations, 'MessageCreateParamsStreaming'));

/** Keywords that structured outputs take, wherever a schema stands. */
const schemaKeywords = new Set(
  'type title description enum const default anyOf $ref $defs definitions properties required items format minItems additionalProperties'.split(
    ' ',
  ),
);

/** What the Messages API would say to a body it refuses: by the types of the SDK, and by what its documentation says beyond them. */
export function whyNoMessages(body: JsonObject): string | undefined {
  // The types have dropped the sampling parameters; models before Claude Opus 4.7 take them.
  const { temperature, top_p, ...typed } = body;
  const fits = body.stream === true ? fitsStreamed : fitsWhole;
  if (!fits(typed)) return `${fits.errors?.[0]?.instancePath}: ${fits.errors?.[0]?.message}`;
  if (temperature !== undefined && !(typeof temperature === 'number' && 0 <= temperature && temperature <= 1))
    return 'temperature: range: 0..1';
  if (temperature !== undefined && top_p !== undefined) return '`temperature` and `top_p` cannot both be specified for this model.';
  const format = isObject(body.output_config) ? body.output_config.format : undefined;
  if (isObject(format)) {
    const fault = looseSchema(format.schema);
    if (fault !== undefined) return `output_config.format.schema: ${fault}`;
  }
  for (const stop of (body.stop_sequences ?? []) as readonly string[])
    if (stop.trim() === '') return 'stop_sequences: must contain non-whitespace';
  for (const [index, tool] of ((body.tools ?? []) as readonly JsonObject[]).entries()) {
    const schema = isObject(tool.input_schema) ? tool.input_schema : {};
    if (['oneOf', 'allOf', 'anyOf'].some((keyword) => Object.hasOwn(schema, keyword)))
      return `tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
  }
  return wrongTurns(body.messages as readonly JsonObject[]);
}

function wrongTurns(messages: readonly JsonObject[]): string | undefined {
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  let open: string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if (role === messages[index - 1]?.role) return `messages.${index}: roles must alternate`;
    const blocks = (content as readonly JsonObject[]).map((block) => block);
    if (blocks.length === 0) return `messages.${index}: content must be non-empty`;
    if (blocks.some(({ type, text }) => type === 'text' && text === '')) return `messages.${index}: text content blocks must be non-empty`;
    const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => String(block.tool_use_id));
    if ([...results].sort().join() !== [...open].sort().join())
      return `messages.${index}: tool_use ids without tool_result blocks: ${open.join()}`;
    if (blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
      return `messages.${index}: tool_result blocks come first`;
    open = blocks.filter(({ type }) => type === 'tool_use').map((block) => String(block.id));
    if (open.some((id) => !/^[a-zA-Z0-9_-]+$/.test(id))) return `messages.${index}: tool_use.id: string should match pattern`;
  }
  return undefined;
}

/** Why structured outputs refuse a schema. */
function looseSchema(node: Json | undefined): string | undefined {
  if (!isObject(node)) return 'a schema must be an object';
  for (const keyword of Object.keys(node)) if (!schemaKeywords.has(keyword)) return `property '${keyword}' is not supported`;
  const isObjectSchema = node.type === 'object' || (Array.isArray(node.type) && node.type.includes('object'));
  if (isObjectSchema && node.additionalProperties !== false)
    return "For 'object' type, 'additionalProperties' must be explicitly set to false";
  if (node.minItems !== undefined && node.minItems !== 0 && node.minItems !== 1)
    return "'minItems' values other than 0 or 1 are not supported";
  const parts: (Json | undefined)[] = node.items === undefined ? [] : [node.items];
  for (const keyword of ['properties', '$defs', 'definitions']) if (isObject(node[keyword])) parts.push(...Object.values(node[keyword]));
  if (Array.isArray(node.anyOf)) parts.push(...(node.anyOf as readonly Json[]));
  return parts.map(looseSchema).find((fault) => fault !== undefined);
}
