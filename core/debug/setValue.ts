import type { Change, Stop } from '../agent/gate.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { fieldAt } from '../routing/fieldAt.js';
import { cutMark, type Target } from './variables.js';

/**
 * The change that sets a value at a stop to the text that was typed.
 *
 * @param values as they are, with secrets
 * @param shown the same without secrets
 * @throws Error if nothing can be set there, or not to that
 */
export function changeTo(stop: Stop, { path, line }: Target, typed: string, values: JsonObject, shown: JsonObject): Change {
  const [root = '', ...inner] = path;
  const before = fieldAt(values, path);
  const parent = fieldAt(values, path.slice(0, -1));
  if (before === undefined && !isObject(parent)) throw new Error(`There is no ${path.join('.')} here.`);
  // The beginning of a text, or its asterisks, would take the place of what was not shown.
  if (typeof before === 'string' && line === undefined && typed.endsWith(`…${cutMark(before)}`))
    throw new Error('This is only the beginning of the text. Set its lines, or the whole text.');
  if (
    before !== undefined &&
    fieldAt(shown, path) !== before &&
    JSON.stringify(fieldAt(shown, path)) !== JSON.stringify(before) &&
    typed.includes('****')
  )
    throw new Error('The value has a secret, which is shown as asterisks: they would be set in its place.');
  const next = line !== undefined && typeof before === 'string' ? withLine(before, line, readText(typed)) : readAs(before, typed);
  const value = withValue(values[root] ?? null, inner, next);
  if (stop.at === 'model' && root === 'messages') return { messages: value as unknown as NonNullable<Change['messages']> };
  if (stop.at === 'tool' && root === 'arguments' && isObject(value)) return { input: value };
  if (stop.at === 'tool_answer' && root === 'answer' && typeof value === 'string') return { output: value };
  if (stop.at === 'route' && root === 'context' && isObject(value)) return { context: value };
  throw new Error(`${root} cannot be changed here.`);
}

/** What was typed: a text where there was one, else JSON. @throws Error if it is not JSON */
function readAs(before: Json | undefined, typed: string): Json {
  if (typeof before === 'string') return readText(typed);
  try {
    return JSON.parse(typed) as Json;
  } catch {
    throw new Error(`This is not JSON: ${typed.slice(0, 100)}. A text needs quotes here.`);
  }
}

/** A text as it is, or as JSON, in which it may have line breaks: `"one\ntwo"`. */
function readText(typed: string): string {
  if (!/^".*"$/s.test(typed)) return typed;
  try {
    return JSON.parse(typed) as string;
  } catch {
    return typed;
  }
}

/** @param line from 1 */
function withLine(text: string, line: number, next: string): string {
  const parts = text.split(/(\r\n|[\n\r\u2028\u2029])/);
  const at = 2 * (line - 1);
  if (parts[at] === undefined) throw new Error(`There is no line ${line}.`);
  parts[at] = next;
  return parts.join('');
}

/** A copy with another value at a path. */
function withValue(value: Json, path: readonly string[], next: Json): Json {
  const [name, ...others] = path;
  if (name === undefined) return next;
  if (Array.isArray(value)) return value.map((each: Json, index) => (String(index) === name ? withValue(each, others, next) : each));
  if (!isObject(value)) return value;
  return { ...value, [name]: withValue(value[name] ?? null, others, next) };
}
