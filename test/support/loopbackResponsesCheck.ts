import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { declaredSchema } from './declaredSchema.js';

const declarations = join(dirname(createRequire(import.meta.url).resolve('openai')), 'resources/responses/responses.d.ts');

/**
 * Checks the body of a Responses request against the SDK's published types, and against what its documentation says and its types cannot: the order
 * of calls, results and thoughts, names, and what strict mode takes. Undefined when the provider would take it, else its words.
 */
export function createResponsesCheck(): (body: JsonObject) => string | undefined {
  const ajv = new Ajv({ strict: false, allErrors: true });
  const whole = ajv.compile(declaredSchema(declarations, 'ResponseCreateParamsNonStreaming'));
  const streamed = ajv.compile(declaredSchema(declarations, 'ResponseCreateParamsStreaming'));
  return (body) => {
    const validate = body.stream === true ? streamed : whole;
    if (!validate(body)) {
      const [error] = validate.errors ?? [];
      return `Invalid value for '${error?.instancePath}': ${error?.message} ${JSON.stringify(error?.params)}`;
    }
    // The types leave out that both have to be there.
    if (typeof body.model !== 'string') return "Missing required parameter: 'model'.";
    if (!Array.isArray(body.input)) return "Missing required parameter: 'input'.";
    return checkOrder(body.input as readonly JsonObject[]) ?? checkTools(body.tools) ?? checkFormat(body.text);
  };
}

/** Every call is answered before the model says more, nothing else is, and a thought stands before what was thought of. */
function checkOrder(input: readonly JsonObject[]): string | undefined {
  const open = new Set<string>();
  for (const [index, item] of input.entries()) {
    const { type, role } = item;
    if (type === 'function_call') open.add(String(item.call_id));
    else if (type === 'function_call_output') {
      if (!open.delete(String(item.call_id))) return `No tool call found for function call output with call_id ${String(item.call_id)}.`;
    } else if (open.size > 0 && type !== 'reasoning' && role !== 'assistant')
      return `No tool output found for function call ${[...open][0]}.`;
    if (type === 'reasoning') {
      const next = input[index + 1];
      const isFollowed = next?.role === 'assistant' || next?.type === 'function_call' || next?.type === 'reasoning';
      if (!isFollowed) return `Item '${String(item.id)}' of type 'reasoning' was provided without its required following item.`;
      if (typeof item.encrypted_content !== 'string')
        return `Item with id '${String(item.id)}' not found. Items are not persisted when \`store\` is set to false.`;
    }
    if (role === 'assistant' && item.content === '') return `Invalid 'input[${index}].content': empty string.`;
  }
  return open.size > 0 ? `No tool output found for function call ${[...open][0]}.` : undefined;
}

function checkTools(tools: Json | undefined): string | undefined {
  for (const [index, tool] of (Array.isArray(tools) ? (tools as readonly JsonObject[]) : []).entries()) {
    const { name, parameters, strict } = tool;
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(name))) return `Invalid 'tools[${index}].name': string does not match pattern.`;
    if (!isObject(parameters) || parameters.type !== 'object' || !isObject(parameters.properties))
      return `Invalid schema for function '${String(name)}': schema must be of type "object" with properties.`;
    // Without a word the server takes it for strict, and refuses what is not.
    if (strict !== false)
      return `Invalid schema for function '${String(name)}': 'additionalProperties' is required to be supplied and to be false.`;
  }
  return undefined;
}

function checkFormat(text: Json | undefined): string | undefined {
  const format = isObject(text) ? text.format : undefined;
  if (!isObject(format) || format.type !== 'json_schema') return undefined;
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(format.name))) return "Invalid 'text.format.name': string does not match pattern.";
  if (!isObject(format.schema) || format.schema.type !== 'object')
    return `Invalid schema for response_format '${String(format.name)}': schema must be of type "object".`;
  const isLoose = format.strict === true && format.schema.additionalProperties !== false;
  return isLoose
    ? `Invalid schema for response_format '${String(format.name)}': 'additionalProperties' is required to be false.`
    : undefined;
}
