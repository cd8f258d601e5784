import type { Json } from './json.js';

/** Longer values are cut in messages. */
const longest = 60;

/** A value as a message shows it: compact JSON, cut when long. */
export function quoted(value: Json | undefined): string {
  if (Array.isArray(value) && value.length > 0) return 'a list';
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) return 'an object';
  // A long text is cut before it is quoted, so that a message about a megabyte costs nothing.
  if (typeof value === 'string' && value.length > longest) return `${JSON.stringify(wholeCharacters(value.slice(0, longest)))}...`;
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return 'a number too large to be kept';
  return JSON.stringify(value) ?? 'nothing';
}

/** `"a"`, `"a" and "b"`, `"a", "b" and "c"`; past `most` (default 8) the rest is counted: `"a", "b" and 3 more`. */
export function listed(values: readonly Json[], joint: 'and' | 'or' = 'and', most = 8): string {
  const words = values.slice(0, most).map(quoted);
  if (values.length > most) return `${words.join(', ')} ${joint} ${values.length - most} more`;
  const last = words.pop();
  return words.length === 0 ? (last ?? 'nothing') : `${words.join(', ')} ${joint} ${last}`;
}

/** A pointer as people write paths: `output_schema.properties.tone`, `teams[0].name`, keys that are no plain names in brackets. */
export function dotted(segments: readonly string[]): string {
  let path = '';
  for (const segment of segments) {
    if (/^(0|[1-9]\d*)$/.test(segment)) path += `[${segment}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(segment)) path += path === '' ? segment : `.${segment}`;
    else path += `[${quoted(segment)}]`;
  }
  return path;
}

/** A cut may fall between the two halves of a character; the lone half goes too. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return 0xd800 <= last && last <= 0xdbff ? text.slice(0, -1) : text;
}
