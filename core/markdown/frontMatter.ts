import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';

/** Settings read from YAML, or why the text is invalid. `line` counts from 0. */
export type ReadSettings =
  | { readonly type: 'settings'; readonly settings: JsonObject }
  | { readonly type: 'yaml'; readonly line: number; readonly detail: string }
  | { readonly type: 'notJson'; readonly line: number; readonly detail: string };

/** Upper limit of values that aliases may expand to in total. */
const maxAliasCount = 100;

/** YAML 1.2 of an object, each member on separate lines. Ends with a line break. */
export async function toYaml(settings: JsonObject): Promise<string> {
  if (Object.keys(settings).length === 0) return '';
  const { stringify } = await import('../textFormats.js');
  // A quoted text keeps every character; in a block, line breaks of other systems would be changed.
  return stringify(settings, { lineWidth: 0, blockQuote: false, aliasDuplicateObjects: false });
}

/** @param known the current settings: a value that JSON cannot hold, such as a number beyond its range, is allowed if unchanged */
export async function readYaml(text: string, known: JsonObject): Promise<ReadSettings> {
  const { parseDocument } = await import('../textFormats.js');
  let value: unknown;
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) {
      const line = text.slice(0, fault.pos[0]).split('\n').length - 1;
      return { type: 'yaml', line, detail: fault.message.split('\n', 1)[0] ?? '' };
    }
    value = document.toJS({ maxAliasCount }) ?? {};
  } catch (error) {
    // Aliases that expand to too much or are undefined, or more levels than the parser accepts.
    if (!(error instanceof ReferenceError || error instanceof RangeError)) throw error;
    return { type: 'yaml', line: 0, detail: error.message };
  }
  if (!isObject(value)) return { type: 'notJson', line: 0, detail: '' };
  const foreign = findForeign(value, '', known);
  return foreign === undefined ? { type: 'settings', settings: value } : { type: 'notJson', line: 0, detail: foreign };
}

/** Pointer of the first value that JSON does not have. */
function findForeign(value: unknown, pointer: string, known: JsonObject): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) || valueAt(known, pointer) === value ? undefined : pointer;
  if (typeof value !== 'object' || (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype)) return pointer;
  for (const [key, inner] of Object.entries(value as { readonly [key: string]: Json })) {
    const foreign = findForeign(inner, pointer + pointerOf(key), known);
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}
