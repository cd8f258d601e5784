import type { Json } from './json.js';

/** Longer values are cut in messages. */
const longest = 60;

/** A value for a message: compact JSON, cut if long. */
export function quoted(value: Json | undefined): string {
  if (Array.isArray(value) && value.length > 0) return 'a list';
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) return 'an object';
  // A long text is cut before it is quoted, so that a message about a megabyte costs nothing.
  if (typeof value === 'string' && value.length > longest) return `${JSON.stringify(wholeCharacters(value.slice(0, longest)))}...`;
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return 'a number too large to be kept';
  return JSON.stringify(value) ?? 'nothing';
}

/** `"a"`, `"a" and "b"`, `"a", "b" and "c"`; beyond `most` (default 8) the others are counted: `"a", "b" and 3 more`. */
export function listed(values: readonly Json[], joint: 'and' | 'or' = 'and', most = 8): string {
  const words = values.slice(0, most).map(quoted);
  if (values.length > most) return `${words.join(', ')} ${joint} ${values.length - most} more`;
  const last = words.pop();
  return words.length === 0 ? (last ?? 'nothing') : `${words.join(', ')} ${joint} ${last}`;
}

/** A pointer in path notation: `output_schema.properties.tone`, `teams[0].name`, other keys in brackets. */
export function dotted(segments: readonly string[]): string {
  let path = '';
  for (const segment of segments) {
    if (/^(0|[1-9]\d*)$/.test(segment)) path += `[${segment}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(segment)) path += path === '' ? segment : `.${segment}`;
    else path += `[${quoted(segment)}]`;
  }
  return path;
}

/** A cut may split a surrogate pair; the lone half is removed too. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return 0xd800 <= last && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** A text that begins a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `3 files`, `1 file`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * The text without those of the given characters (UTF-16 units) that end it. Takes linear time for any text: a pattern such as
 * `/[;)]+$/` tries again from each of them.
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Translates a text into the user's language, with `{0}` for the first value. */
export type Translate = (text: string, ...values: readonly (string | number)[]) => string;

/** Untranslated texts: for the command line, and if the language is unknown. */
export const inEnglish: Translate = (text, ...values) =>
  text.replace(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));

/** A text as one word of a POSIX shell, quoted where it needs to be. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** At most `limit` characters and a line at the cut: three quarters from the start of the text, one quarter from its end. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = characterStart(text, Math.ceil(limit * 0.75));
  const tail = characterStart(text, text.length - Math.floor(limit * 0.25));
  return `${text.slice(0, head)}\n[... cut: characters ${head + 1} to ${tail} of ${text.length} are not shown ...]\n${text.slice(tail)}`;
}

/** `at`, or one more where it would split a character. */
function characterStart(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return 0xdc00 <= unit && unit <= 0xdfff ? at + 1 : at;
}

/** A text of at most `most` UTF-16 units: of a longer one the beginning, followed by a mark, without half a character. */
export function shorten(text: string, most: number, mark: '...' | '…' = '…'): string {
  return text.length <= most ? text : `${wholeCharacters(text.slice(0, most - mark.length))}${mark}`;
}
