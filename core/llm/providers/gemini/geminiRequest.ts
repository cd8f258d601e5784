import { isObject, type Json, type JsonObject } from '../../../json.js';
import type { LlmRequest, ToolDefinition } from '../../types.js';
import { withSchemaLine } from '../schemaText.js';
import { errorWords } from '../vendorFailure.js';
import type { VendorRefusal } from '../vendorRefusal.js';
import { toGeminiTurns } from './geminiContents.js';

/** The body of `generateContent` and `streamGenerateContent`. The model is part of the address. */
export type GeminiBody = JsonObject;

/**
 * A request to the Gemini API. `options` are sent as they are, under the request's own fields, e.g. `{"generationConfig": {"thinkingConfig": {...}}}`.
 *
 * The schema of the answer goes into `responseJsonSchema`. Models before Gemini 3 refuse it together with tools, and some schemas are always
 * refused: then it is added to the system text and `left_out` lists `response_format`.
 */
export function toGeminiBody(
  request: LlmRequest,
  options: JsonObject,
  refused: ReadonlySet<string>,
): { readonly body: GeminiBody; readonly left_out: readonly string[] } {
  const { generationConfig: configOptions, systemInstruction: _system, contents: _contents, ...rest } = options;
  const { system, turns } = toGeminiTurns(request.messages, isFrom3(request.model));
  const left_out: string[] = [];
  const sent = <T>(name: string, value: T | undefined): T | undefined => {
    if (value === undefined || !refused.has(name)) return value;
    left_out.push(name);
    return undefined;
  };

  const config = isObject(configOptions) ? configOptions : {};
  const tools = request.tools?.length ? [{ functionDeclarations: request.tools.map(toDeclaration) }] : undefined;
  const ownSchema = config.responseJsonSchema ?? config.responseSchema;
  const schema = ownSchema === undefined ? request.response_format?.json_schema.schema : undefined;
  const isSent = schema !== undefined && !refused.has('response_format') && !(tools !== undefined && isBefore3(request.model));
  if (schema !== undefined && !isSent) left_out.push('response_format');
  const systemText = schema === undefined || isSent ? system : withSchemaLine(system, schema);

  const temperature = sent('temperature', request.temperature);
  const topP = sent('top_p', request.top_p);
  const maxOutputTokens = sent('max_output_tokens', request.max_tokens);
  const stopSequences = sent('stop', request.stop?.length ? request.stop : undefined);
  const generationConfig: JsonObject = {
    ...config,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(stopSequences !== undefined && { stopSequences }),
    ...(isSent && { responseMimeType: 'application/json', responseJsonSchema: schema }),
  };
  const body: JsonObject = {
    ...rest,
    contents: turns as unknown as Json,
    ...(systemText !== '' && { systemInstruction: { parts: [{ text: systemText }] } }),
    ...(tools !== undefined && { tools }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
  return { body, left_out };
}

function toDeclaration({ name, description, parameters }: ToolDefinition): JsonObject {
  return { name, description, parametersJsonSchema: parameters };
}

/** Models with version 1 or 2. Aliases such as `gemini-flash-latest` mean newer ones. */
function isBefore3(model: string): boolean {
  return /\bgemini-[12](\.|-|$)/.test(model);
}

function isFrom3(model: string): boolean {
  return /\bgemini-/.test(model) && !isBefore3(model) && model !== 'gemini-pro';
}

/** Fields of `generationConfig` that a request can do without, with their config names. */
const removable: readonly (readonly [field: string, name: string])[] = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['stopSequences', 'stop'],
  ['maxOutputTokens', 'max_output_tokens'],
];

/**
 * What the model does not accept according to an error answer. Every wrong request is the same INVALID_ARGUMENT, so the message is parsed: a
 * parameter called not supported, and any complaint about the answer's schema or its type.
 */
export function refusedByGemini({ status, body }: VendorRefusal, sent: GeminiBody): string | undefined {
  if (status !== 400) return undefined;
  const { message } = errorWords(body, undefined);
  const config = isObject(sent.generationConfig) ? sent.generationConfig : {};
  const aboutSchema = /response[ _]?(mime|schema|json|format)|json mode|too many states|specified schema/i;
  // Function declarations have schemas, too.
  if (config.responseJsonSchema !== undefined && aboutSchema.test(message) && !/function_declarations/.test(message))
    return 'response_format';
  if (!/support|deprecated|unknown name|not (enabled|allowed|permitted)/i.test(message)) return undefined;
  const namedField = removable.find(([field]) => Object.hasOwn(config, field) && isNamed(field, message));
  return namedField?.[1];
}

/** Messages spell fields in either case. */
function isNamed(field: string, message: string): boolean {
  const snake = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return new RegExp(`\\b(${field}|${snake})\\b`, 'i').test(message);
}
