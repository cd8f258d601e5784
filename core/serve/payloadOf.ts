import { InputInvalidError } from '../errors.js';
import { isObject, type JsonObject, listOf } from '../json.js';
import { parseJson } from '../jsonText/parseJson.js';
import { positionsIn } from '../jsonText/textPositions.js';
import type { Exposed } from './exposed.js';

/**
 * The input in a chat message: a JSON object, also in a fenced block, is the input; any other text is the value of the only key that accepts a text.
 *
 * @throws InputInvalidError for a text that begins like a JSON object but is invalid, and if no key accepts a text
 */
export function payloadOf(text: string, { id, input_schema, text_key }: Pick<Exposed, 'id' | 'input_schema' | 'text_key'>): JsonObject {
  const [, fenced] = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/.exec(text) ?? [];
  const json = fenced ?? text;
  const { value, syntax } = parseJson(json);
  if (isObject(value)) return value;
  if (value === undefined && /^\s*\{\s*"/.test(json)) {
    const { line, column } = positionsIn(json)(syntax[0]?.range.start ?? 0);
    throw invalid(`The message begins like a JSON object but is invalid at line ${line}, column ${column}.`);
  }
  if (text_key !== undefined) return { [text_key]: text };
  const keys = isObject(input_schema.properties) ? Object.keys(input_schema.properties) : [];
  const required = listOf(input_schema.required).filter((key) => typeof key === 'string');
  const shape = `{${(required.length > 0 ? required : keys)
    .slice(0, 10)
    .map((key) => `${JSON.stringify(key)}: ...`)
    .join(', ')}}`;
  throw invalid(`${id} takes several values, so the message must be a JSON object: ${shape}.`);
}

function invalid(message: string): InputInvalidError {
  return new InputInvalidError(message, [{ path: '', keyword: 'type', message }]);
}
