import { promptTexts } from '../generated/fields.js';
import { escapeSegment } from '../json.js';
import { endOfString } from '../jsonText/jsonShape.js';

/** A string value of a JSON text. */
export interface StringValue {
  readonly pointer: string;
  /** With its quotes. */
  readonly start: number;
  readonly end: number;
  /** Where its key begins; in a list, where it begins itself. */
  readonly keyStart: number;
}

/** A string value worth a document of its own. */
export interface JsonText extends StringValue {
  /** A field that holds what a model reads, or a value with line breaks. Otherwise it is just long. */
  readonly isPrompt: boolean;
}

/** Fields that hold what a model reads, however short it still is. */
const promptPointer = new RegExp(`/(?:${promptTexts.join('|')})$`);
/** Length in UTF-16 units above which the value of any field counts as prose; so does a value with a line break. */
const longest = 120;
const lineBreak = /(?:^|[^\\])(?:\\\\)*\\n/;

/**
 * The string values worth a document of their own, in file order. Reads text that is not JSON as far as that goes: a string ends with its
 * line at the latest.
 */
export function longTexts(json: string): readonly JsonText[] {
  return stringValues(json).flatMap((text) => {
    const isPrompt = promptPointer.test(text.pointer) || lineBreak.test(json.slice(text.start, text.end));
    return isPrompt || text.end - text.start > longest ? [{ ...text, isPrompt }] : [];
  });
}

/** The one an offset is in, its quotes included. */
export function longTextAt(json: string, offset: number): JsonText | undefined {
  return longTexts(json).find(({ start, end }) => start <= offset && offset <= end);
}

interface Level {
  readonly isList: boolean;
  readonly pointer: string;
  index: number;
  key: string;
  keyStart: number;
  isAtKey: boolean;
}

/** All string values, in file order; of a key given twice both. */
export function stringValues(json: string): readonly StringValue[] {
  const values: StringValue[] = [];
  const levels: Level[] = [];
  const pointerHere = (level: Level) => `${level.pointer}/${level.isList ? level.index : escapeSegment(level.key)}`;
  for (let at = 0; at < json.length; at++) {
    const unit = json[at];
    const level = levels.at(-1);
    if (unit === '{' || unit === '[') {
      const isList = unit === '[';
      levels.push({ isList, pointer: level ? pointerHere(level) : '', index: 0, key: '', keyStart: at, isAtKey: !isList });
    } else if (unit === '}' || unit === ']') levels.pop();
    else if (unit === ':' && level) level.isAtKey = false;
    else if (unit === ',' && level) {
      level.index += 1;
      level.isAtKey = !level.isList;
    } else if (unit === '"') {
      const end = endOfLiteral(json, at);
      // Without the comma before it, only the colon behind it tells a key.
      if (level?.isAtKey || (level?.isList === false && isColonNext(json, end))) {
        level.key = keyOf(json.slice(at, end));
        level.keyStart = at;
      } else if (level) values.push({ pointer: pointerHere(level), start: at, end, keyStart: level.isList ? at : level.keyStart });
      at = end - 1;
    }
  }
  return values;
}

function isColonNext(json: string, from: number): boolean {
  let at = from;
  while (/\s/.test(json[at] ?? '')) at += 1;
  return json[at] === ':';
}

function endOfLiteral(json: string, start: number): number {
  const quote = endOfString(json, start);
  const whole = json.slice(start, quote < 0 ? json.length : quote + 1);
  const broken = whole.indexOf('\n');
  return start + (broken < 0 ? whole.length : broken);
}

function keyOf(literal: string): string {
  try {
    const key: unknown = JSON.parse(literal);
    return typeof key === 'string' ? key : literal;
  } catch {
    // Still being typed.
    return literal.replaceAll('"', '');
  }
}
