/**
 * A text from a file for the terminal: characters that would move the cursor, switch styles, reorder or hide text become `<U+001B>`, so that no file
 * can draw on the terminal and invisible characters are visible. So do line breaks and tabs.
 */
export function visibleText(text: string): string {
  return text.replace(unprintable, spellOut);
}

/** The same for text of several lines: line breaks and tabs are kept. */
export function visibleLines(text: string): string {
  return text.replace(unprintable, (character) => (character === '\n' || character === '\t' ? character : spellOut(character)));
}

/**
 * JSON with such characters written as escapes: the same value, safe to print. Two spaces per level, short lists of plain values on one line.
 */
export function toVisibleJson(value: unknown): string {
  return escapeUnseen(JSON.stringify(value, null, 2)).replace(plainList, (list, lines: string) => {
    const items = lines.split(/\n +/);
    const width = items.reduce((sum, item) => sum + item.length + 1, 1);
    return width <= widestList ? `[${items.join(' ')}]` : list;
  });
}

/** As `JSON.stringify`, with such characters written as escapes. @param indent spaces per level, 0 for one line */
export function toSafeJson(value: unknown, indent = 2): string {
  return escapeUnseen(JSON.stringify(value, null, indent));
}

/** JSON text with such characters written as escapes: the same value. Line breaks, which are never part of its strings, are kept. */
export function escapeUnseen(json: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(unprintable, (character) => (character === '\n' ? character : character.split('').map(escapeUnit).join('')));
}

/** A list whose lines have neither brackets nor braces. A line break inside JSON is never part of a string. */
const plainList = /\[\n +([^ [\]{}\n][^[\]{}\n]*(?:\n +[^ [\]{}\n][^[\]{}\n]*)*)\n +\]/g;
const widestList = 80;

/**
 * Controls, line and paragraph separators, format characters, private use, lone surrogates, tags. The joiners that emoji and
 * some scripts need are kept there; after ASCII they only hide.
 */
const unprintable =
  /(?<=[\0-\x7f])[\u200c\u200d]|[\p{Cc}\u2028\u2029\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Cs}\p{Co}\u{e0000}-\u{e007f}]/gu;

function spellOut(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
