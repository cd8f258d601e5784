/** JSON as a type. Parsed values are data: nothing in core mutates them. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of a list; none for any other value. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The object in a JSON text; undefined if it is not JSON, or not an object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** RFC 6901: `pointerOf('a/b', 0)` is `/a~1b/0`; no segments is the root, the empty string. */
export function pointerOf(...segments: readonly (string | number)[]): string {
  let pointer = '';
  for (const segment of segments) pointer += `/${escapeSegment(String(segment))}`;
  return pointer;
}

export function escapeSegment(segment: string): string {
  return segment.includes('~') || segment.includes('/') ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment;
}

/** The segments of a JSON pointer, unescaped; `[]` for the root. */
export function segmentsOf(pointer: string): string[] {
  if (pointer === '') return [];
  const segments = pointer.slice(1).split('/');
  return pointer.includes('~') ? segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')) : segments;
}

/** The value at a pointer, or undefined. Own properties only, so `__proto__` and `constructor` are ordinary names. */
export function valueAt(root: Json | undefined, pointer: string): Json | undefined {
  let value = root;
  for (const segment of segmentsOf(pointer)) {
    if (value === null || typeof value !== 'object') return undefined;
    if (!Object.hasOwn(value, segment)) return undefined;
    value = (value as JsonObject)[segment];
  }
  return value;
}

/**
 * A copy of an object with one value set at a path; values on the path that are not objects become objects. Keys such as
 * `__proto__` are ordinary names.
 */
export function setAt(root: JsonObject, [key, ...rest]: readonly string[], value: Json): JsonObject {
  if (key === undefined) return root;
  const entries = new Map(Object.entries(root));
  const inner = entries.get(key);
  entries.set(key, rest.length === 0 ? value : setAt(isObject(inner) ? inner : {}, rest, value));
  // Unlike assignment, `fromEntries` defines `__proto__` as an own property.
  return Object.fromEntries(entries);
}
