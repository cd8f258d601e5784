import { LlmError } from '../../../errors.js';
import { isObject, type Json, type JsonObject } from '../../../json.js';
import type { ToolDefinition } from '../../types.js';
import { makeAnswer } from './makeAnswer.js';
import { type Payload, sharedWords } from './payload.js';

export interface ToolChoice {
  readonly name: string;
  readonly input: JsonObject;
}

/** The tool whose name shares most words with the payload, the first of equals, for which an input can be made of it. */
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
    return isObject(input) ? input : undefined;
  } catch (error) {
    if (error instanceof LlmError) return undefined;
    throw error;
  }
}

/** How a system text that asks for Thought, Action and Final Answer is answered. */
export interface TextProtocol {
  readonly tools: readonly ToolDefinition[];
}

/** The text protocol of a system text, with the tools it lists; undefined where it asks for none. */
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
