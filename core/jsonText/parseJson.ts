import type { Json } from '../json.js';
import { countKeys, maxDepth, shapeOf } from './jsonShape.js';
import { findSyntaxFaults } from './syntaxFaults.js';
import type { SyntaxFault } from './types.js';

/** What a text says; `value` is undefined where it is no JSON, or nested too deeply. */
interface ParsedJson {
  readonly value: Json | undefined;
  readonly syntax: readonly SyntaxFault[];
}

/** JSON (RFC 8259) with unique keys at most `maxDepth` levels deep, and what keeps the text from being that. */
export function parseJson(text: string): ParsedJson {
  const start = startOf(text);
  const { keys, depth } = shapeOf(text);
  if (depth > maxDepth) return { value: undefined, syntax: findSyntaxFaults(text, start) };
  let value: Json;
  try {
    value = JSON.parse(text.slice(start)) as Json;
  } catch (error) {
    const faults = findSyntaxFaults(text, start);
    return { value: undefined, syntax: faults.length > 0 ? faults : [unexplained(error, text, start)] };
  }
  return { value, syntax: countKeys(value) === keys ? [] : findSyntaxFaults(text, start) };
}

/** Behind a byte order mark. */
function startOf(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0;
}

/** Should the search for faults ever overlook what `JSON.parse` refuses, the file is still reported. */
function unexplained(error: unknown, text: string, start: number): SyntaxFault {
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'json-syntax', message: `Not JSON: ${message}`, range: { start, end: Math.min(start + 1, text.length) }, pointer: '' };
}
