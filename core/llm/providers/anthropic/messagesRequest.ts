import { isObject, type Json, type JsonObject } from '../../../json.js';
import { toPlainTool } from '../../toolSchema.js';
import type { LlmRequest, ToolDefinition } from '../../types.js';
import { withSchemaLine } from '../schemaText.js';
import type { Delivery } from '../types.js';
import { errorWords } from '../vendorFailure.js';
import type { VendorRefusal } from '../vendorRefusal.js';
import { anthropicFacts } from './anthropicFacts.js';
import { cacheMarks } from './cacheMarks.js';
import { isThought, toMessagesTurns } from './messagesContent.js';
import { toOutputSchema } from './outputSchema.js';

/** The body of a request, and the beta features it uses, which are sent in a header. */
export interface MessagesBody {
  readonly body: JsonObject;
  readonly betas: readonly string[];
}

/** Reported as left out when no thought is sent back. */
const thoughts = 'thoughts';

/** What a request is built from besides the call itself. */
export interface MessagesProfile {
  readonly options: JsonObject;
  /** Most tokens a model can write, where that is known. */
  readonly mostTokens: (model: string) => number | undefined;
}

/**
 * A request to the Messages API. `options` are sent as they are, under the request's own fields; `options.betas` becomes a header, and
 * `options.output_config` keeps its fields beside the format. `options.cache_control` controls the cache marks (`cacheMarks`).
 *
 * `max_tokens` is mandatory: the request's, else the most the model can write, else 4,096. The schema of the answer goes into
 * `output_config.format`; where the API cannot take it, it is added to the system text and `left_out` lists `response_format`.
 */
export function toMessagesBody(
  request: LlmRequest,
  { options, mostTokens }: MessagesProfile,
  delivery: Delivery,
  refused: ReadonlySet<string>,
): { readonly body: MessagesBody; readonly left_out: readonly string[] } {
  const { betas, stream: _stream, output_config: outputOptions, ...others } = options;
  const { mark, options: rest } = cacheMarks(request, others);
  const withThoughts = !refused.has(thoughts);
  const { system, turns } = toMessagesTurns(request.messages, withThoughts);
  const left_out: string[] = withThoughts ? [] : [thoughts];
  const sent = <T>(name: string, value: T | undefined): T | undefined => {
    if (value === undefined || !refused.has(name)) return value;
    left_out.push(name);
    return undefined;
  };

  const output_config = isObject(outputOptions) ? outputOptions : {};
  const schema = output_config.format === undefined ? request.response_format?.json_schema.schema : undefined;
  const outputSchema = schema && !refused.has('response_format') ? toOutputSchema(schema) : undefined;
  if (schema !== undefined && outputSchema === undefined) left_out.push('response_format');
  const systemText = schema === undefined || outputSchema !== undefined ? system : withSchemaLine(system, schema);
  const outputFields: JsonObject = { ...output_config, ...(outputSchema && { format: { type: 'json_schema', schema: outputSchema } }) };

  const temperature = sent('temperature', request.temperature);
  const top_p = sent('top_p', request.top_p);
  // The API refuses a text of white space only.
  const stops = request.stop?.filter((text) => text.trim() !== '');
  const stop = sent('stop', stops?.length === 0 ? undefined : stops);
  const tools = request.tools?.length ? request.tools.map(toWireTool) : undefined;
  const body: JsonObject = {
    ...rest,
    model: request.model,
    max_tokens: request.max_tokens ?? rest.max_tokens ?? mostTokens(request.model) ?? anthropicFacts.neededLimit,
    ...(systemText !== '' && { system: mark.system(systemText) }),
    messages: mark.turns(turns) as unknown as Json,
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(stop !== undefined && { stop_sequences: stop }),
    ...(tools !== undefined && { tools: mark.tools(tools) }),
    ...(Object.keys(outputFields).length > 0 && { output_config: outputFields }),
    ...(delivery === 'stream' && { stream: true }),
  };
  const names = Array.isArray(betas) ? (betas as readonly Json[]).filter((name) => typeof name === 'string') : [];
  return { body: { body, betas: names }, left_out };
}

function toWireTool(tool: ToolDefinition): JsonObject {
  const { name, description, parameters } = toPlainTool(tool);
  return { name, ...(description !== '' && { description }), input_schema: parameters };
}

/** Body fields that a request can do without, with their config names. */
const removable: readonly (readonly [field: string, name: string])[] = [
  ['top_p', 'top_p'],
  ['temperature', 'temperature'],
  ['stop_sequences', 'stop'],
];

/**
 * What the model does not accept according to an error answer. The API has no code for that, so the message is parsed: a sampling parameter
 * called deprecated, not supported, or not to be set (with thinking, or with another one), and any complaint about the answer's schema.
 *
 * The newest models accept thoughts only in the unchanged conversation they belong to. One that has since been shortened continues without them.
 */
export function refusedByMessages({ status, body }: VendorRefusal, sent: MessagesBody): string | undefined {
  if (status !== 400) return undefined;
  const { message } = errorWords(body, undefined);
  const format = isObject(sent.body.output_config) ? sent.body.output_config.format : undefined;
  // A schema inside `tools` is a different one.
  if (format !== undefined && /output_config|output_format|structured output|schema/i.test(message) && !/\btools\b/.test(message))
    return 'response_format';
  const turns = sent.body.messages as readonly { readonly content: readonly JsonObject[] }[];
  if (/\bthinking`? block|\bsignature\b/i.test(message) && turns.some(({ content }) => content.some(isThought))) return thoughts;
  if (!/deprecated|support|may only|cannot|can't|not (permitted|allowed)|unset|extra inputs/i.test(message)) return undefined;
  const namedField = removable.find(([field]) => Object.hasOwn(sent.body, field) && new RegExp(`\\b${field}\\b`).test(message));
  return namedField?.[1];
}
