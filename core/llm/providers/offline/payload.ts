import { isObject, type Json } from '../../../json.js';
import { messageText } from '../../messageText.js';
import type { Message } from '../../types.js';

/** The content of the user's message, as far as an answer can be made from it. */
export interface Payload {
  /** `key = value` lines of the message: the key, folded, to its value. */
  readonly values: ReadonlyMap<string, Json>;
  /** One text per value that contains any, or the whole message when it has no such lines. Never empty. */
  readonly texts: readonly string[];
  /** Those of `texts` that came from the user; the others are tool results. */
  readonly userTexts: readonly string[];
  /** All words, folded, for look-up. */
  readonly words: ReadonlySet<string>;
}

/**
 * Reads the request: the last message of the user, not counting tool results (`Observation` in text) and other messages that a loop has added
 * since. The payload is the lines before the first empty one, each `key = JSON value`. Tool results that are
 * JSON objects add their fields, under names the payload does not have.
 */
export function readPayload(messages: readonly Message[]): Payload {
  const at = askedAt(messages);
  const message = at === -1 ? '' : messageText(messages[at]!);
  const values = valuesIn(message);
  const messageTexts = values.size > 0 ? [...values.values()].map((value) => textsIn(value).join(' ')) : [message.replace(closing, '')];
  const results = resultsIn(messages).map(({ content }) => content);
  for (const value of results.map(parse)) {
    if (isObject(value)) for (const [key, each] of Object.entries(value)) if (!values.has(fold(key))) values.set(fold(key), each);
  }
  const cleanTexts = cleaned(messageTexts);
  const userTexts = cleanTexts.length > 0 ? cleanTexts : ['no input was given'];
  const texts = [...userTexts, ...cleaned(results)];
  return { values, texts, userTexts: userTexts, words: new Set(texts.flatMap((text) => wordsOf(text))) };
}

/** A payload of these texts, with values for some names. @param texts at least one */
export function payloadOf(texts: readonly string[], values: readonly (readonly [name: string, value: Json])[] = []): Payload {
  const words = new Set(texts.flatMap((text) => wordsOf(text)));
  return { values: new Map(values.map(([name, value]) => [fold(name), value])), texts, userTexts: texts, words };
}

function cleaned(texts: readonly string[]): string[] {
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 20_000)).filter((text) => text !== '');
}

/** A tool result since the last request. */
export interface Result {
  /** Unknown where the conversation is plain text. */
  readonly name: string | undefined;
  readonly content: string;
}

/** Tool results since the last request of the user. */
export function resultsIn(messages: readonly Message[]): readonly Result[] {
  return messages.slice(askedAt(messages) + 1).flatMap((message): readonly Result[] => {
    const { role, content } = message;
    if (role !== 'user') return [];
    const blocks = typeof content === 'string' ? [] : content;
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [{ name: block.name, content: block.content }] : []));
    if (results.length > 0) return results;
    const texts = messageText(message).split(observation);
    return texts.slice(1).map((text) => ({ name: undefined, content: text.trim() }));
  });
}

/** How a prompt that expects JSON ends. */
const closing = /\n\n(?:Reply with|The Final Answer is) a single JSON object only[^\n]*$/;

const observation = /^Observation(?: \d+)?(?: \([^)\n]*\))?: ?/m;

/** Index of the message with the request; -1 where there is none. */
function askedAt(messages: readonly Message[]): number {
  const isAsked = (message: Message) => message.role === 'user' && messageText(message) !== '' && !observation.test(messageText(message));
  const withPayload = messages.findLastIndex((message) => isAsked(message) && valuesIn(messageText(message)).size > 0);
  return withPayload === -1 ? messages.findLastIndex(isAsked) : withPayload;
}

function valuesIn(message: string): Map<string, Json> {
  const values = new Map<string, Json>();
  for (const line of message.split('\n\n', 1)[0]!.split('\n')) {
    const entry = /^("(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_.-]*) = (.+)$/.exec(line);
    const value = entry === null ? undefined : parse(entry[2]!);
    if (value !== undefined) values.set(fold(entry![1]!), value);
  }
  return values;
}

/** `Python_Programmer` and `pythonProgrammer` to `python`, `programmer`. */
export function wordsOf(text: string): string[] {
  const split = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return split.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** How many words of a label occur in the payload; words of one or two letters count only where there are no others. */
export function sharedWords(label: string, { words }: Payload): number {
  const all = wordsOf(label);
  const long = all.filter((word) => word.length > 2);
  return (long.length > 0 ? long : all).filter((word) => words.has(word)).length;
}

/** Folds names that differ only in letter case and separators. */
export function fold(name: string): string {
  return wordsOf(name).join('');
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (value === null || typeof value === 'boolean') return [];
  return (Array.isArray(value) ? (value as readonly Json[]) : Object.values(value)).flatMap(textsIn);
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
