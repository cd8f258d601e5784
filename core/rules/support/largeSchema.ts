import { isObject, type JsonObject } from '../../json.js';

/** Objects with more fields take a millisecond and more to be looked through, which shows while somebody types. */
const mostFields = 500;

/** Whether it pays to remember what has been found out about a schema. */
export function isLargeSchema(schema: JsonObject): boolean {
  if (large.has(schema)) return true;
  const { properties } = schema;
  const isLarge = isObject(properties) && Object.keys(properties).length > mostFields;
  if (isLarge) large.add(schema);
  return isLarge;
}

/** Counting thousands of fields takes as long as much of what is remembered. Parsed values never change. */
const large = new WeakSet<JsonObject>();

/**
 * Makes a function of a schema and nothing else remember its answers about large ones, as long as they live. Parsed values never change, and
 * those of a document that is typed in stay the same objects where nothing was typed.
 */
export function rememberLarge<Answer>(compute: (schema: JsonObject) => Answer): (schema: JsonObject) => Answer {
  const known = new WeakMap<JsonObject, { readonly answer: Answer }>();
  return (schema) => {
    const remembered = known.get(schema);
    if (remembered !== undefined) return remembered.answer;
    const answer = compute(schema);
    if (isLargeSchema(schema)) known.set(schema, { answer });
    return answer;
  };
}
