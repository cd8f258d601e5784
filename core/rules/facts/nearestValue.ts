import type { ConfigFile } from '../../config/configFile.js';
import { type Json, segmentsOf, valueAt } from '../../json.js';
import { locate } from '../../jsonText/locate.js';

/** A legal value for a mistyped one. */
export interface Replacement {
  readonly replacement: Json;
  /** The JSON to write; keeps the digits of the file, so `"15.0"` becomes `15.0`. */
  readonly text: string;
}

/**
 * The value that a value of a wrong type stands for: `"15.0"`, `"true"`, `1` for a text, one text for a list of texts, and numbers with a unit
 * (`"25s"`, `"66%"`, `"$0.50"`).
 *
 * @param field the name of the field that is to hold it, which says its unit. Default: where it is now
 */
export function nearestValue(
  file: ConfigFile,
  pointer: string,
  types: readonly string[],
  field = segmentsOf(pointer).at(-1) ?? '',
): Replacement | undefined {
  const value = valueAt(file.value, pointer);
  for (const type of types) {
    const isNumber = type === 'number' || type === 'integer';
    const replacement = (isNumber && withoutUnit(value, field)) || converted(value, type, () => writtenAt(file, pointer));
    if (replacement !== undefined) return replacement;
  }
  return undefined;
}

/** Milliseconds of each unit of time. */
const unitsOfTime: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A number with a unit, in the unit of the field. */
function withoutUnit(value: Json | undefined, field: string): Replacement | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const time = /^(\d+(?:\.\d+)?) ?(?:(ms)|(s)(?:ec(?:ond)?s?)?|(m)in(?:ute)?s?|(m)|(h)(?:ours?)?)$/i.exec(value.trim());
  const factor =
    time &&
    unitsOfTime[
      time
        .slice(2)
        .find((unit) => unit !== undefined)
        ?.toLowerCase() ?? ''
    ];
  if (time && factor && field.endsWith('_ms')) return toNumber(Math.round(Number(time[1]) * factor), 'integer');
  const [, percent] = /^(\d+(?:\.\d+)?) ?%$/.exec(value.trim()) ?? [];
  if (percent !== undefined && Number(percent) <= 100) return { replacement: Number(percent) / 100, text: String(Number(percent) / 100) };
  const [, before, behind] = /^(?:\$ ?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) ?(?:\$|USD))$/.exec(value.trim()) ?? [];
  return /(?:cost|usd)$/.test(field) ? toNumber(before ?? behind, 'number') : undefined;
}

function converted(value: Json | undefined, type: string, written: () => string): Replacement | undefined {
  switch (type) {
    case 'number':
    case 'integer':
      return toNumber(value, type);
    case 'boolean': {
      const word = String(value).trim().toLowerCase();
      return word === 'true' || word === 'false' ? { replacement: word === 'true', text: word } : undefined;
    }
    case 'string': {
      if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
      // The file may have 2.0 or 1.10, where the parsed number has lost the zero.
      const text = written();
      return { replacement: text, text: JSON.stringify(text) };
    }
    case 'array':
      return typeof value === 'string' ? listOfText(value) : undefined;
    default:
      return undefined;
  }
}

/** An empty text names nothing, so its list is empty. */
function listOfText(value: string): Replacement {
  const replacement = value.trim() === '' ? [] : [value];
  return { replacement, text: JSON.stringify(replacement) };
}

function toNumber(value: Json | undefined, type: 'number' | 'integer'): Replacement | undefined {
  if (typeof value === 'number') {
    const rounded = Math.round(value);
    return Number.isSafeInteger(rounded) ? { replacement: rounded, text: String(rounded) } : undefined;
  }
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const text = value.trim();
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  const isLegal = type === 'number' ? Number.isFinite(number) : Number.isSafeInteger(number);
  return isLegal ? { replacement: number, text: type === 'number' ? text : String(number) } : undefined;
}

/** The source text of a value. */
export function writtenAt(file: ConfigFile, pointer: string): string {
  const range = locate(file.text, [pointer]).get(pointer)?.value;
  return range === undefined ? String(valueAt(file.value, pointer)) : file.text.slice(range.start, range.end);
}
