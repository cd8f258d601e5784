import { promptTexts } from '../generated/fields.js';
import { escapeSegment } from '../json.js';
import { endOfString } from '../jsonText/jsonShape.js';

/** A string value of a JSON text. */
export interface StringValue {
  readonly pointer: string;
  /** Offset of the opening quote. */
  readonly start: number;
  readonly end: number;
  /** Where its key begins; in a list, where the value itself begins. */
  readonly keyStart: number;
}

/** A string value worth a separate document. */
export interface JsonText extends StringValue {
  /** Whether it is a field that a model reads, or a value with line breaks. Otherwise it is just long. */
  readonly isPrompt: boolean;
}

/** Fields that a model reads, however short they are. */
const promptPointer = new RegExp(`/(?:${promptTexts.join('|')})$`);
/** Length in UTF-16 units above which any value counts as prose; a value with a line break counts too. */
const longest = 120;
const lineBreak = /(?:^|[^\\])(?:\\\\)*\\n/;

/**
 * The string values worth a separate document, in file order. Reads text that is not JSON as far as possible: a string ends with its
 * line at the latest.
 */
export function longTexts(json: string): readonly JsonText[] {
  return stringValues(json).flatMap((text) => {
    const isPrompt = promptPointer.test(text.pointer) || lineBreak.test(json.slice(text.start, text.end));
    return isPrompt || text.end - text.start > longest ? [{ ...text, isPrompt }] : [];
  });
}

/** The long text that contains an offset, quotes included. */
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

/** All string values, in file order; for a duplicate key both. */
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
      // Without a comma before it, a key can be recognized only by the colon after it.
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
