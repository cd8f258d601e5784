import { isObject } from '../../core/json.js';
import { locateLoosely } from '../looseJson.js';
import type { Path } from '../schemaDocs.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';
import { eolOf, indentOf, indentUnitOf } from './toItem.js';

/**
 * What puts `"name": [values]` into the `enums` beside an output_schema, which get made when there are none; undefined when the field has an
 * entry, or the text is too broken to tell where it belongs.
 */
export function enumEntry(spot: Spot, base: Path, name: string, values: readonly string[]): Suggestion['also'] {
  const { text, offset } = spot;
  const enums = spot.valueAt([...base, 'enums']);
  const entry = `${JSON.stringify(name)}: [${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  const eol = eolOf(text);
  const indent = indentUnitOf(text);
  if (enums === undefined) {
    const schema = locateLoosely(text, [...base, 'output_schema']);
    if (schema === undefined || text[schema.end - 1] !== '}' || offset >= schema.end) return undefined;
    const line = indentOf(text, schema.start);
    return [{ offset: schema.end, text: `,${eol}${line}"enums": {${eol}${line}${indent}${entry}${eol}${line}}` }];
  }
  const place = locateLoosely(text, [...base, 'enums']);
  if (!isObject(enums) || Object.hasOwn(enums, name) || place === undefined || text[place.end - 1] !== '}') return undefined;
  let end = place.end - 1;
  while (/\s/.test(text[end - 1] ?? '')) end -= 1;
  const isEmpty = end === place.start + 1;
  const isOnOneLine = !/[\r\n]/.test(text.slice(place.start, place.end));
  const separator = isOnOneLine ? ' ' : `${eol}${indentOf(text, place.start)}${indent}`;
  return [{ offset: end, text: `${isEmpty ? '' : ','}${separator}${entry}${isEmpty && isOnOneLine ? ' ' : ''}` }];
}
