import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { declaredSchema } from './declaredSchema.js';

/** What the provider answers to a request it does not understand, in its own words and codes. */
export interface Refusal {
  readonly message: string;
  readonly code: string;
  readonly param: string | null;
}

const declarations = join(dirname(createRequire(import.meta.url).resolve('openai')), 'resources/chat/completions/completions.d.ts');

/** Compiles a type the SDK declares for Chat Completions, e.g. `ChatCompletionChunk`. */
export function declaredValidator(type: string): ValidateFunction {
  return new Ajv({ strict: false, allErrors: true }).compile(declaredSchema(declarations, type));
}

/**
 * Checks a Chat Completions request body against the SDK's published types, and against the limits its documentation
 * states but its types cannot. Undefined when the provider would take it.
 */
export function createRequestCheck(): (body: Json) => Refusal | undefined {
  const whole = declaredValidator('ChatCompletionCreateParamsNonStreaming');
  const streamed = declaredValidator('ChatCompletionCreateParamsStreaming');
  return (body) => {
    if (!isObject(body)) return invalid('We could not parse the JSON body of your request.', null);
    const validate = body.stream === true ? streamed : whole;
    if (!validate(body)) return refusalOf(validate.errors ?? []);
    return checkLimits(body);
  };
}

function refusalOf(errors: readonly ErrorObject[]): Refusal {
  const meant = errors.filter((error) => !isOfOtherMember(error, errors) && error.keyword !== 'anyOf');
  const error = meant.find(({ keyword }) => keyword === 'additionalProperties') ?? meant[0] ?? errors[0]!;
  const place = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'additionalProperties') {
    const name = [place, String(error.params.additionalProperty)].filter((part) => part !== '').join('.');
    return { message: `Unknown parameter: '${name}'.`, code: 'unknown_parameter', param: name };
  }
  if (error.keyword === 'required') {
    const name = [place, String(error.params.missingProperty)].filter((part) => part !== '').join('.');
    return { message: `Missing required parameter: '${name}'.`, code: 'missing_required_parameter', param: name };
  }
  return invalid(`Invalid value for '${place}': ${error.message}.`, place);
}

/** Inside a union every member complains; those whose `role` or `type` is another one are not what the sender meant. */
function isOfOtherMember(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  return errors.some(({ keyword, schemaPath, instancePath }) => {
    const tag = /^(.*)\/properties\/(role|type)\/const$/.exec(schemaPath);
    if (keyword !== 'const' || tag === null) return false;
    const holder = instancePath.slice(0, instancePath.lastIndexOf('/'));
    return error.schemaPath.startsWith(`${tag[1]}/`) && error.instancePath.startsWith(holder);
  });
}

function checkLimits(body: JsonObject): Refusal | undefined {
  const { messages, temperature, top_p, n, stop, stream, stream_options, tools, response_format } = body;
  if (Array.isArray(messages) && messages.length === 0) return invalid("Invalid 'messages': empty array.", 'messages');
  const misplaced = checkOrder(messages as readonly JsonObject[]) ?? checkTools((tools ?? []) as readonly JsonObject[]);
  if (misplaced !== undefined) return misplaced;
  if (Array.isArray(stop) && stop.length > 4) return invalid("Invalid 'stop': array too long.", 'stop');
  if (typeof temperature === 'number' && !(0 <= temperature && temperature <= 2)) return outOfRange('temperature', 0, 2);
  if (typeof top_p === 'number' && !(0 <= top_p && top_p <= 1)) return outOfRange('top_p', 0, 1);
  if (typeof n === 'number' && !(1 <= n && n <= 128)) return outOfRange('n', 1, 128);
  for (const name of ['max_tokens', 'max_completion_tokens']) {
    const limit = body[name];
    if (typeof limit === 'number' && (limit < 1 || !Number.isInteger(limit))) return invalid(`Invalid '${name}': ${limit}.`, name);
  }
  if (stream !== true && stream_options != null) {
    return invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  }
  if (!isObject(response_format) || response_format.type !== 'json_schema') return undefined;
  const format = response_format.json_schema as JsonObject;
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(format.name))) {
    return invalid("Invalid 'response_format.json_schema.name': string does not match pattern.", 'response_format.json_schema.name');
  }
  if (!isObject(format.schema) || format.schema.type !== 'object') {
    return invalid(`Invalid schema for response_format '${String(format.name)}': schema must be of type "object".`, 'response_format');
  }
  const loose = format.strict === true ? findLooseObject(format.schema, []) : undefined;
  if (loose === undefined) return undefined;
  return invalid(
    `Invalid schema for response_format '${String(format.name)}': In context=(${loose.join(', ')}), strict mode requires 'additionalProperties' to be false and every property in 'required'.`,
    'response_format',
  );
}

/** Every tool call is answered, by messages that follow it at once, and nothing else is. */
function checkOrder(messages: readonly JsonObject[]): Refusal | undefined {
  let open: readonly string[] = [];
  for (const [index, { role, tool_call_id: id, tool_calls: calls }] of messages.entries()) {
    if (role === 'tool') {
      if (!open.includes(String(id)))
        return invalid(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages.[${index}].role`,
        );
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0) break;
    if (Array.isArray(calls)) open = calls.map((call: JsonObject) => String(call.id));
  }
  if (open.length === 0) return undefined;
  return invalid(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${open.join(', ')}`,
    'messages',
  );
}

function checkTools(tools: readonly JsonObject[]): Refusal | undefined {
  for (const [index, tool] of tools.entries()) {
    const { name, parameters } = isObject(tool.function) ? tool.function : ({} as JsonObject);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(name)))
      return invalid(`Invalid 'tools[${index}].function.name': string does not match pattern.`, `tools[${index}].function.name`);
    if (isObject(parameters) && parameters.type !== 'object')
      return invalid(
        `Invalid schema for function '${String(name)}': schema must be of type "object".`,
        `tools[${index}].function.parameters`,
      );
    const fault = looseParameters(parameters, []);
    if (fault !== undefined)
      return {
        message: `Invalid schema for function '${String(name)}': ${fault}`,
        code: 'invalid_function_parameters',
        param: `tools[${index}].function.parameters`,
      };
  }
  return undefined;
}

/** What the provider refuses of parameters without strict mode, in its words. */
function looseParameters(schema: Json | undefined, path: readonly string[]): string | undefined {
  if (!isObject(schema)) return undefined;
  const context = `In context=(${path.map((name) => `'${name}'`).join(', ')})`;
  if (path.length === 0) {
    if (['oneOf', 'anyOf', 'allOf', 'enum', 'not'].some((keyword) => Object.hasOwn(schema, keyword)))
      return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.";
    if (!isObject(schema.properties)) return `${context}, object schema missing properties.`;
  }
  if (schema.type === 'array' && !Object.hasOwn(schema, 'items')) return `${context}, array schema missing items.`;
  const parts: [string, Json | undefined][] = [['items', schema.items]];
  if (isObject(schema.properties)) parts.push(...Object.entries(schema.properties));
  for (const [name, part] of parts) {
    const fault = looseParameters(part, [...path, name]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Path of the first object that strict mode refuses, looking at objects in properties, items, unions and definitions. */
function findLooseObject(schema: Json | undefined, path: readonly string[]): readonly string[] | undefined {
  if (!isObject(schema)) return undefined;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const isObjectSchema = schema.type === 'object' || Object.hasOwn(schema, 'properties');
  if (isObjectSchema && (schema.additionalProperties !== false || Object.keys(properties).some((name) => !required.includes(name))))
    return path;
  const parts: [string, Json | undefined][] = [...Object.entries(properties), ['items', schema.items]];
  for (const keyword of ['$defs', 'definitions']) if (isObject(schema[keyword])) parts.push(...Object.entries(schema[keyword]));
  if (Array.isArray(schema.anyOf)) parts.push(...schema.anyOf.map((member, index): [string, Json] => [`anyOf ${index}`, member]));
  for (const [name, part] of parts) {
    const loose = findLooseObject(part, [...path, name]);
    if (loose !== undefined) return loose;
  }
  return undefined;
}

function invalid(message: string, param: string | null): Refusal {
  return { message, code: 'invalid_value', param };
}

function outOfRange(name: string, low: number, high: number): Refusal {
  return invalid(`Invalid '${name}': expected a value between ${low} and ${high}.`, name);
}
