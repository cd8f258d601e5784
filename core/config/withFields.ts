import type { Json, JsonObject } from '../json.js';
import { pointerOf } from '../json.js';
import { locate } from '../jsonText/locate.js';
import { parseConfigObject } from './parseConfigFile.js';

/**
 * A config text with some fields of its root set and nothing else changed: layout, order and line ends stay. A field that is not there yet
 * comes last. Undefined for a text that is no JSON object.
 */
export function withFields(text: string, fields: JsonObject): string | undefined {
  if (parseConfigObject(text) === undefined) return undefined;
  return Object.entries(fields).reduce(withField, text);
}

function withField(text: string, [name, value]: [string, Json]): string {
  const pointer = pointerOf(name);
  const root = locate(text, ['', pointer]);
  const place = root.get(pointer)?.value;
  const written = JSON.stringify(value);
  if (place !== undefined) return text.slice(0, place.start) + written + text.slice(place.end);
  const end = (root.get('')?.value.end ?? text.length) - 1;
  const before = text.slice(0, end).trimEnd();
  const isEmpty = before.endsWith('{');
  const [, lineEnd = '', indent = ''] = /(\r?\n)([ \t]*)(?="(?:[^"\\]|\\.)*"\s*:)/.exec(text) ?? [];
  const gap = lineEnd === '' ? ' ' : `${lineEnd}${indent}`;
  const tail = lineEnd === '' && isEmpty ? ' ' : text.slice(before.length, end);
  return `${before}${isEmpty ? '' : ','}${gap}${JSON.stringify(name)}: ${written}${tail}${text.slice(end)}`;
}
