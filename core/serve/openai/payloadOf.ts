import { isObject, type JsonObject, listOf } from '../../json.js';
import { parseJson } from '../../jsonText/parseJson.js';
import { positionsIn } from '../../jsonText/textPositions.js';
import type { Exposed } from '../exposed.js';
import { requestError } from './chatError.js';

/**
 * The input that a message stands for: a JSON object, also in a fenced block, is the input; any other text is the value of the one key that takes a
 * text.
 *
 * @throws ChatError for a text that begins as a JSON object and is none, and where no key takes a text
 */
export function payloadOf(text: string, { id, input_schema, text_key }: Pick<Exposed, 'id' | 'input_schema' | 'text_key'>): JsonObject {
  const [, fenced] = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/.exec(text) ?? [];
  const inner = fenced ?? text;
  const { value, syntax } = parseJson(inner);
  if (isObject(value)) return value;
  if (value === undefined && /^\s*\{\s*"/.test(inner)) {
    const { line, column } = positionsIn(inner)(syntax[0]?.range.start ?? 0);
    throw requestError(`The message begins as a JSON object and is none, line ${line}, column ${column}.`, 'messages', 'input-invalid');
  }
  if (text_key !== undefined) return { [text_key]: text };
  const keys = isObject(input_schema.properties) ? Object.keys(input_schema.properties) : [];
  const required = listOf(input_schema.required).filter((key) => typeof key === 'string');
  const shape = `{${(required.length > 0 ? required : keys)
    .slice(0, 10)
    .map((key) => `${JSON.stringify(key)}: ...`)
    .join(', ')}}`;
  throw requestError(
    `${id} takes several values, so the last message of the user must be a JSON object: ${shape}.`,
    'messages',
    'input-invalid',
  );
}
