import { endOf, memberOf, nodeAt, type Path, treeOf } from '../jsonTree.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';
import { eolOf, indentOf, indentUnitOf } from './toItem.js';

/**
 * The edits that add `"name": [values]` to the `enums` beside an output_schema, and create `enums` when it is missing. Undefined when the
 * field has an entry already, or when the text is too broken to tell where it belongs.
 */
export function enumEntry(spot: Spot, base: Path, name: string, values: readonly string[]): Suggestion['also'] {
  const { text, offset } = spot;
  const { root, open } = treeOf(spot.document);
  const enums = nodeAt(root, [...base, 'enums']);
  const entry = `${JSON.stringify(name)}: [${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  const eol = eolOf(text);
  const indent = indentUnitOf(text);
  if (enums === undefined) {
    const schema = nodeAt(root, [...base, 'output_schema']);
    if (schema?.type !== 'object' || open.has(schema.offset) || offset >= endOf(schema)) return undefined;
    const line = indentOf(text, schema.offset);
    return [{ offset: endOf(schema), text: `,${eol}${line}"enums": {${eol}${line}${indent}${entry}${eol}${line}}` }];
  }
  if (enums.type !== 'object' || memberOf(enums, name) !== undefined || open.has(enums.offset)) return undefined;
  let end = endOf(enums) - 1;
  while (/\s/.test(text[end - 1] ?? '')) end -= 1;
  const isEmpty = end === enums.offset + 1;
  const isOnOneLine = !/[\r\n]/.test(text.slice(enums.offset, endOf(enums)));
  const separator = isOnOneLine ? ' ' : `${eol}${indentOf(text, enums.offset)}${indent}`;
  return [{ offset: end, text: `${isEmpty ? '' : ','}${separator}${entry}${isEmpty && isOnOneLine ? ' ' : ''}` }];
}
