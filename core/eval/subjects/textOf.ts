import type { JsonObject } from '../../json.js';

/** A text of an expectation; empty where the file is wrong. */
export function textOf(entry: JsonObject, key: string): string {
  const value = entry[key];
  return typeof value === 'string' ? value : '';
}
