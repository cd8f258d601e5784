import type { Issue } from '../errors.js';
import { isObject, type JsonObject } from '../json.js';
import { coverSecrets } from '../secrets/secretPatterns.js';
import { shorten } from '../words.js';
import { findNotJson } from './plainJson.js';

/** The answer in the result of a model call: text still to be parsed, an object already parsed, or neither. */
export type RawAnswer =
  | { readonly type: 'text'; readonly text: string /** Not known to be whole. */; readonly cut: boolean }
  | { readonly type: 'object'; readonly value: JsonObject }
  | { readonly type: 'none'; readonly issue: Issue };

/**
 * Accepts text, a `Completion`, a chat completion of OpenAI's form, and an already parsed object. An object that could be
 * either is an answer if the schema has a field of that name (`isField`) and nothing else marks it as a completion.
 */
export function readRawAnswer(raw: unknown, isField: (name: string) => boolean): RawAnswer {
  if (typeof raw === 'string') return { type: 'text', text: raw, cut: false };
  if (!isObject(raw)) return none('type', `The answer is ${nameOfType(raw)}; one JSON object was expected.`);
  try {
    return readObject(raw, isField);
  } catch (error) {
    // The caller's getter or proxy threw.
    return none('type', `The answer cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readObject(raw: JsonObject, isField: (name: string) => boolean): RawAnswer {
  if (typeof raw.text === 'string' && (typeof raw.finish_reason === 'string' || !isField('text'))) {
    return { type: 'text', text: raw.text, cut: !isWhole(raw.finish_reason) };
  }
  if (Array.isArray(raw.choices) && (raw.object === 'chat.completion' || !isField('choices'))) return readChoice(raw.choices[0]);

  const notJson = findNotJson(raw);
  if (notJson?.pointer === '') return none('type', `The answer ${notJson.problem}.`);
  if (notJson) return none('type', `must be JSON, but ${notJson.problem}`, notJson.pointer);
  // A copy, since defaults are filled in and the caller may change the original.
  return { type: 'object', value: JSON.parse(JSON.stringify(raw)) as JsonObject };
}

function readChoice(choice: unknown): RawAnswer {
  const message = isObject(choice) ? choice.message : undefined;
  if (!isObject(choice) || !isObject(message)) return none('type', 'The completion has no message.');
  if (typeof message.refusal === 'string' && message.refusal !== '')
    return none('refusal', `The model refused: ${quoted(message.refusal)}`);
  const { content } = message;
  const text = Array.isArray(content)
    ? content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
    : content;
  if (typeof text !== 'string') return none('type', 'The message of the completion has no text.');
  return { type: 'text', text, cut: !isWhole(choice.finish_reason) };
}

/** Whether an answer with this finish reason may be treated as complete: a reason that means so, or none at all. */
function isWhole(finish_reason: unknown): boolean {
  return finish_reason === undefined || finish_reason === null || endings.has(finish_reason);
}

const endings: ReadonlySet<unknown> = new Set(['stop', 'tool_use', 'tool_calls', 'function_call']);

/** A refusal may quote what it refuses to repeat, and a whole page does not belong in an error message. */
function quoted(refusal: string): string {
  return shorten(coverSecrets(refusal.slice(0, 20_000)), 400, '...');
}

function nameOfType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function none(keyword: string, message: string, path = ''): RawAnswer {
  return { type: 'none', issue: { path, keyword, message } };
}
