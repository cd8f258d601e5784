import { type JsonObject, pointerOf } from '../json.js';
import { applyReplacements, JsonEdit } from '../jsonText/jsonEdit.js';
import { parseConfigObject } from './parseConfigFile.js';

/**
 * A config text with some fields of its root set and nothing else changed: layout, order and line ends stay. New fields come last. Undefined
 * for a text that is not a JSON object.
 */
export function withFields(text: string, fields: JsonObject): string | undefined {
  if (parseConfigObject(text) === undefined) return undefined;
  const edit = new JsonEdit(text);
  for (const [name, value] of Object.entries(fields)) edit.set(pointerOf(name), value);
  return applyReplacements(text, edit.replacements());
}
