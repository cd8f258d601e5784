import type { Json } from '../../../json.js';
import { messageText } from '../../messageText.js';
import type { Message } from '../../types.js';

/** What the user's message says, as far as an answer can be made of it. */
export interface Payload {
  /** `key = value` lines of the message: the key, folded, to its value. */
  readonly values: ReadonlyMap<string, Json>;
  /** One text per value that holds any, or the whole message when it has no such lines. Never empty. */
  readonly texts: readonly string[];
  /** All words, folded, for look-up. */
  readonly words: ReadonlySet<string>;
}

/** Reads the last user message: the payload's lines are those before the first empty one, each `key = JSON value`. */
export function readPayload(messages: readonly Message[]): Payload {
  const last = messages.findLast(({ role }) => role === 'user');
  const message = last === undefined ? '' : messageText(last);
  const values = new Map<string, Json>();
  for (const line of message.split('\n\n', 1)[0]!.split('\n')) {
    const entry = /^("(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_.-]*) = (.+)$/.exec(line);
    const value = entry === null ? undefined : parse(entry[2]!);
    if (value !== undefined) values.set(fold(entry![1]!), value);
  }
  const said = values.size > 0 ? [...values.values()].map((value) => textsIn(value).join(' ')) : [message];
  const texts = said.map((text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 20_000)).filter((text) => text !== '');
  return {
    values,
    texts: texts.length > 0 ? texts : ['no input was given'],
    words: new Set(texts.flatMap((text) => wordsOf(text))),
  };
}

/** `Python_Programmer` and `pythonProgrammer` to `python`, `programmer`. */
export function wordsOf(text: string): string[] {
  const split = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return split.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** How many words of a label the payload holds; words of one or two letters count only where there are no others. */
export function sharedWords(label: string, { words }: Payload): number {
  const all = wordsOf(label);
  const long = all.filter((word) => word.length > 2);
  return (long.length > 0 ? long : all).filter((word) => words.has(word)).length;
}

/** Names are the same but for letter case and separators. */
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
