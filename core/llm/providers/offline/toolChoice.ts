import { LlmError } from '../../../errors.js';
import { isObject, type Json, type JsonObject } from '../../../json.js';
import type { ToolDefinition } from '../../types.js';
import { makeAnswer } from './makeAnswer.js';
import { type Payload, sharedWords } from './payload.js';

export interface ToolChoice {
  readonly name: string;
  readonly input: JsonObject;
}

/** The tool whose name shares most words with the payload (the first of equals) and for which an input can be made. */
export function chooseTool(tools: readonly ToolDefinition[], payload: Payload): ToolChoice | undefined {
  const ranked = [...tools].sort((left, right) => sharedWords(right.name, payload) - sharedWords(left.name, payload));
  for (const { name, parameters } of ranked) {
    const input = inputFor(parameters, payload);
    if (input !== undefined) return { name, input };
  }
  return undefined;
}

function inputFor(parameters: JsonObject, payload: Payload): JsonObject | undefined {
  try {
    const input = makeAnswer(parameters, payload);
    return isObject(input) ? sparing(input, parameters) : undefined;
  } catch (error) {
    if (error instanceof LlmError) return undefined;
    throw error;
  }
}

/** Keywords at a schema's root that treat every property independently, so that adding or dropping one does not affect the others. */
const independent: ReadonlySet<string> = new Set([
  '$schema',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'examples',
]);
const asksForWords = /^(?:q|query|search|term|keyword|words?)$/i;

/** As a model would call it: the required fields, else the first possible one, with a search word instead of the whole question. */
function sparing(input: JsonObject, parameters: JsonObject): JsonObject {
  if (Object.keys(parameters).some((key) => !independent.has(key))) return input;
  const { required, properties } = parameters;
  const givenNames: readonly Json[] = Array.isArray(required) && required.length > 0 ? required : Object.keys(input).slice(0, 1);
  const kept = Object.entries(input).filter(([name]) => givenNames.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, wordFor(name, value, isObject(properties) ? properties[name] : undefined)]));
}

/** The longest word of a text, as a search word; the whole text where the schema requires more than a word. */
function wordFor(name: string, value: Json, schema: Json | undefined): Json {
  if (!asksForWords.test(name) || typeof value !== 'string' || !isObject(schema)) return value;
  if (Object.keys(schema).some((key) => !['type', 'title', 'description', 'minLength', 'maxLength'].includes(key))) return value;
  const words = value.match(/[\p{L}\p{N}_-]+/gu) ?? [];
  const longest = words.reduce((found, word) => (word.length > found.length ? word : found), '');
  const isLongEnough = typeof schema.minLength !== 'number' || [...longest].length >= schema.minLength;
  return longest !== '' && isLongEnough ? longest : value;
}

/** How to answer a system text that requires Thought, Action and Final Answer. */
export interface TextProtocol {
  readonly tools: readonly ToolDefinition[];
}

/** The text protocol of a system text, with the tools it lists; undefined where it has none. */
export function textProtocolIn(system: string): TextProtocol | undefined {
  if (!/^Final Answer:/m.test(system)) return undefined;
  const tools: ToolDefinition[] = [];
  let name: string | undefined;
  for (const line of system.split('\n')) {
    const parameters = /^ {2}Parameters: (\{.*\})$/.exec(line)?.[1];
    if (name !== undefined && parameters !== undefined) {
      const schema = parsed(parameters);
      if (schema !== undefined) tools.push({ name, description: '', parameters: schema });
    }
    name = /^- ([a-zA-Z0-9_-]{1,64})(?::|$)/.exec(line)?.[1];
  }
  return { tools };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
