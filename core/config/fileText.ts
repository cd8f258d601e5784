import { type JsonObject, pointerOf } from '../json.js';
import { JsonEdit } from '../jsonText/jsonEdit.js';
import { fileTextAfter } from '../jsonText/promptEdits.js';
import { jsonTextOf } from '../jsonText/promptText.js';
import type { Kind } from '../kinds.js';
import { parseConfigObject } from './parseConfigFile.js';

/** The text of a new config file, with the `$schema` of its kind on top. */
export function newFileText(kind: Kind, value: JsonObject): string {
  const $schema = `agent-stack:${kind === 'settings' ? 'agentstack' : kind}.schema.json`;
  return `${JSON.stringify({ $schema, ...value }, null, 2)}\n`;
}

/**
 * A config text with some fields of its root set and nothing else changed: layout, order and line ends stay. New fields come last. Undefined
 * for a text that is not a JSON object, nor a prompt in Markdown.
 */
export function withFields(path: string, text: string, fields: JsonObject): string | undefined {
  const { json } = jsonTextOf(path, text);
  if (parseConfigObject(json) === undefined) return undefined;
  const edit = new JsonEdit(json);
  for (const [name, value] of Object.entries(fields)) edit.set(pointerOf(name), value);
  return fileTextAfter(path, text, edit.replacements());
}

/**
 * The text of an agent or prompt file with another version and nothing else changed: layout, line ends and a byte order mark stay.
 * Unchanged where its path alone says the version; undefined for a text that is not a JSON object.
 */
export function withVersion(path: string, text: string, version: string): string | undefined {
  const value = parseConfigObject(jsonTextOf(path, text).json);
  return value !== undefined && Object.hasOwn(value, 'version') ? withFields(path, text, { version }) : value && text;
}
