import type { Json } from '../json.js';

/** The style of a file, which new parts imitate. */
export interface JsonStyle {
  /** The first line break; `\n` if there is none. */
  readonly eol: string;
  /** One level of indentation. */
  readonly indent: string;
  /** After a colon, and after a comma on one line. */
  readonly gap: ' ' | '';
  /** Inside the braces of an object on one line. */
  readonly padding: ' ' | '';
  /** The whole text is on one line. */
  readonly isFlat: boolean;
  /** The text has objects on one line. */
  readonly isCompact: boolean;
}

/** JSON to be written unchanged, so that `15.0` keeps its zero. All lines but the first are indented as if the value began at the margin. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value to be written, parts of which may be written already. */
export type NewJson = Json | RawJson | { readonly [name: string]: NewJson };

/** Longest line, in UTF-16 units, on which an object or list is written. */
const lineWidth = 100;

export function styleOf(text: string): JsonStyle {
  const isFlat = !/[\r\n]/.test(text.trim());
  const flatObject = /\{([ \t]*)"[^{}\r\n]*\}/.exec(text);
  const isTight = /":[^\s]/.test(text) && !text.includes('": ');
  return {
    eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
    indent: /[{[][ \t]*(?:\r\n|\n|\r)([ \t]+)/.exec(text)?.[1] ?? '  ',
    gap: isTight ? '' : ' ',
    padding: flatObject?.[1] === '' ? '' : ' ',
    isFlat,
    isCompact: flatObject !== null,
  };
}

/**
 * A value in the style of a file. Values that fit are put on one line if the file has objects on one line; a list of plain values always is.
 *
 * @param level indentation of the line the value begins on
 * @param before units on that line between the indentation and the value
 */
export function renderJson(value: NewJson, style: JsonStyle, level: string, before = 0): string {
  if (value instanceof RawJson) return value.text.replace(/\r\n|\n|\r/g, style.eol + level);
  if (!isContainer(value)) return JSON.stringify(value);
  const flat = renderFlat(value, style);
  if (style.isFlat) return flat;
  const mayBeFlat = style.isCompact || (Array.isArray(value) && !value.some(isContainer));
  if (flat.length <= 2 || (mayBeFlat && level.length + before + flat.length <= lineWidth && !/[\r\n]/.test(flat))) return flat;
  const inner = level + style.indent;
  const parts = Object.entries(value).map(([name, item]) => {
    const key = keyIn(value, name, style);
    return inner + key + renderJson(item, style, inner, key.length);
  });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}${style.eol}${parts.join(`,${style.eol}`)}${style.eol}${level}${close}`;
}

function renderFlat(value: NewJson, style: JsonStyle): string {
  if (value instanceof RawJson) return value.text;
  if (!isContainer(value)) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, item]) => keyIn(value, name, style) + renderFlat(item, style));
  const list = parts.join(`,${style.gap}`);
  if (Array.isArray(value)) return `[${list}]`;
  return list === '' ? '{}' : `{${style.padding}${list}${style.padding}}`;
}

function keyIn(container: NewJson, name: string, { gap }: JsonStyle): string {
  return Array.isArray(container) ? '' : `${JSON.stringify(name)}:${gap}`;
}

function isContainer(value: NewJson): value is { readonly [name: string]: NewJson } {
  return typeof value === 'object' && value !== null;
}
