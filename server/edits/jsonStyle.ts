import { isObject, type Json } from '../../core/json.js';

/** How a file is written: what new parts of it imitate. */
export interface JsonStyle {
  /** Of the first line break; `\n` where there is none. */
  readonly eol: string;
  /** One level of indentation. */
  readonly indent: string;
  /** Between key and value. */
  readonly colon: ': ' | ':';
  /** The whole text is on one line, so new parts are too. */
  readonly isFlat: boolean;
  /** After a comma on one line, and inside the braces of an object on one line. */
  readonly gap: ' ' | '';
  readonly padding: ' ' | '';
  /** Objects that hold no other object fit on one line in this file. */
  readonly isCompact: boolean;
}

/** Longest line a list or object is put on. */
const lineWidth = 100;

export function styleOf(text: string): JsonStyle {
  const eol = /\r\n|\n|\r/.exec(text)?.[0];
  const indent = /[{[][ \t]*(?:\r\n|\n|\r)([ \t]+)/.exec(text)?.[1];
  const tight = /"(?:[^"\\]|\\.)*":(?=[^\s])/.test(text.slice(0, 20_000));
  const flatObject = /\{([ \t]*)"(?:[^"\\\r\n]|\\.)*"[ \t]*:[^{}\r\n]*\}/.exec(text.slice(0, 50_000));
  const isFlat = !/[\r\n]/.test(text.trim());
  const isMinified = tight && (isFlat || !/"(?:[^"\\]|\\.)*": /.test(text.slice(0, 20_000)));
  return {
    eol: eol ?? '\n',
    indent: indent ?? '  ',
    colon: isMinified ? ':' : ': ',
    isFlat,
    gap: isMinified ? '' : ' ',
    padding: flatObject?.[1] !== undefined && flatObject[1] !== '' ? ' ' : flatObject === null && !isFlat ? ' ' : '',
    isCompact: flatObject !== null,
  };
}

/** @param level indentation of the line the value begins on @param before units already on that line, besides the indentation */
export function renderJson(value: Json, style: JsonStyle, level: string, before = 0): string {
  const flat = renderFlat(value, style);
  if (style.isFlat || !isContainer(value) || isEmpty(value)) return flat;
  const fits = level.length + before + flat.length <= lineWidth;
  if (fits && (Array.isArray(value) ? value.every((item) => !isContainer(item)) : style.isCompact && isShallow(value))) return flat;
  const inner = level + style.indent;
  const parts = Array.isArray(value)
    ? value.map((item: Json) => inner + renderJson(item, style, inner))
    : Object.entries(value).map(([key, item]) => {
        const name = JSON.stringify(key) + style.colon;
        return inner + name + renderJson(item, style, inner, name.length);
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}${style.eol}${parts.join(`,${style.eol}`)}${style.eol}${level}${close}`;
}

function renderFlat(value: Json, style: JsonStyle): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => renderFlat(item, style)).join(`,${style.gap}`)}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => JSON.stringify(key) + style.colon + renderFlat(item, style));
  return members.length === 0 ? '{}' : `{${style.padding}${members.join(`,${style.gap}`)}${style.padding}}`;
}

function isContainer(value: Json): value is Exclude<Json, string | number | boolean | null> {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: Json): boolean {
  return isContainer(value) && Object.keys(value).length === 0;
}

/** Holds no object, and no list of anything but scalars. */
function isShallow(value: Json): boolean {
  return (
    isObject(value) &&
    Object.values(value).every((item) => !isObject(item) && (!Array.isArray(item) || item.every((one) => !isContainer(one))))
  );
}
