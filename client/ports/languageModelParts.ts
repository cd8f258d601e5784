import * as vscode from 'vscode';
import { LlmError } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import type { ToolDefinition } from '../../core/llm/types.js';
import type { Turn, TurnPart } from './languageModels.js';

/**
 * What VS Code has for tools of language models since 1.95, as its API documents it. The oldest version this extension runs in does not have it,
 * so it is looked for, and has no types there.
 */
interface PartApi {
  readonly LanguageModelTextPart?: new (value: string) => object;
  readonly LanguageModelToolCallPart?: new (callId: string, name: string, input: object) => object;
  readonly LanguageModelToolResultPart?: new (callId: string, content: object[]) => object;
  /** Of an API that is still being proposed: a model may use it anyway. */
  readonly LanguageModelThinkingPart?: new (
    value: string,
  ) => object;
}

type AnyPart = new (...values: never[]) => object;

const api = vscode as unknown as PartApi;

/** The tools in the form of `sendRequest`. @throws LlmError if this version of VS Code does not support them */
export function toolOptions(tools: readonly ToolDefinition[]): object {
  if (tools.length === 0) return {};
  if (api.LanguageModelToolCallPart === undefined) throw noTools();
  return { tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })) };
}

/** @throws LlmError when it contains tool calls or results, and this version of VS Code does not support them */
export function toChatMessage({ role, content }: Turn): vscode.LanguageModelChatMessage {
  // Where there are parts it takes a list of them, too.
  const messageContent = typeof content === 'string' ? content : (content.map(toPart) as unknown as string);
  return vscode.LanguageModelChatMessage[role === 'user' ? 'User' : 'Assistant'](messageContent);
}

function toPart(part: TurnPart): object {
  const { LanguageModelTextPart, LanguageModelToolCallPart, LanguageModelToolResultPart } = api;
  if (LanguageModelTextPart === undefined || LanguageModelToolCallPart === undefined || LanguageModelToolResultPart === undefined)
    throw noTools();
  switch (part.type) {
    case 'text':
      return new LanguageModelTextPart(part.text);
    case 'call':
      return new LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'result':
      return new LanguageModelToolResultPart(part.id, [new LanguageModelTextPart(part.text)]);
  }
}

export type AnswerPart =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | { readonly type: 'call'; readonly id: unknown; readonly name: string; readonly input: unknown };

/** The parts of an answer with content, as they come; only its texts where VS Code knows nothing else. */
export async function* readParts(response: vscode.LanguageModelChatResponse): AsyncGenerator<AnswerPart, void, undefined> {
  if (!('stream' in response)) {
    for await (const text of response.text) yield { type: 'text', text };
    return;
  }
  for await (const part of response.stream as AsyncIterable<unknown>) {
    const knownPart = readPart(part);
    if (knownPart !== undefined) yield knownPart;
  }
}

/** Undefined for the marks that model extensions leave for themselves (`stateful_marker`). @throws LlmError for an image and other data */
function readPart(part: unknown): AnswerPart | undefined {
  if (!isObject(part)) return undefined;
  const { value, callId, name, input, mimeType }: { readonly [key: string]: unknown } = part;
  if (isA(part, api.LanguageModelToolCallPart)) return { type: 'call', id: callId, name: String(name), input };
  if (isA(part, api.LanguageModelThinkingPart)) return { type: 'thinking', text: Array.isArray(value) ? value.join('') : String(value) };
  if (typeof mimeType === 'string' && mimeType.includes('/'))
    throw new LlmError('incomplete', `The answer of the model has a part of type ${JSON.stringify(mimeType)}, which is not read here.`, {
      finish_reason: mimeType,
    });
  return isA(part, api.LanguageModelTextPart) ? { type: 'text', text: String(value) } : undefined;
}

function isA(part: object, kind: AnyPart | undefined): boolean {
  return kind !== undefined && part instanceof kind;
}

function noTools(): LlmError {
  return new LlmError(
    'bad-request',
    'This version of VS Code has no tools for language models; 1.95 and later have. Update it, or give the agent "tool_protocol": "text".',
  );
}
