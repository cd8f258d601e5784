import type { Json } from '../json.js';
import { countKeys, keysAtMost, maxDepth, shapeOf } from './jsonShape.js';
import { findSyntaxFaults } from './syntaxFaults.js';
import type { SyntaxFault } from './types.js';

/** What a text says; `value` is undefined where it is no JSON, or nested too deeply. */
interface ParsedJson {
  readonly value: Json | undefined;
  readonly syntax: readonly SyntaxFault[];
}

const bom = 0xfeff;
const noFaults: readonly SyntaxFault[] = [];

/** Above this, in UTF-16 units, nesting is looked at before `JSON.parse`, which takes memory for every level. */
const longText = 65_536;

/** JSON (RFC 8259) with unique keys at most `maxDepth` levels deep, and what keeps the text from being that. */
export function parseJson(text: string): ParsedJson {
  const start = text.charCodeAt(0) === bom ? 1 : 0;
  const tooDeep = () => ({ value: undefined, syntax: findSyntaxFaults(text, start) });
  if (isLongAndDeep(text)) return tooDeep();
  let value: Json;
  try {
    value = JSON.parse(start === 0 ? text : text.slice(start)) as Json;
  } catch (error) {
    const faults = findSyntaxFaults(text, start);
    return { value: undefined, syntax: faults.length > 0 ? faults : [unexplained(error, text, start)] };
  }
  const keys = countKeys(value);
  if (keys === Number.POSITIVE_INFINITY) return tooDeep();
  const unique = keys === keysAtMost(text) || keys === shapeOf(text).keys;
  return { value, syntax: unique ? noFaults : findSyntaxFaults(text, start) };
}

/** The value that `parseJson` finds, without a look at what is wrong with the text. */
export function jsonIn(text: string): Json | undefined {
  if (isLongAndDeep(text)) return undefined;
  try {
    const value = JSON.parse(text.charCodeAt(0) === bom ? text.slice(1) : text) as Json;
    return countKeys(value) === Number.POSITIVE_INFINITY ? undefined : value;
  } catch {
    return undefined;
  }
}

function isLongAndDeep(text: string): boolean {
  return text.length > longText && shapeOf(text).depth > maxDepth;
}

/** Should the search for faults ever overlook what `JSON.parse` refuses, the file is still reported. */
function unexplained(error: unknown, text: string, start: number): SyntaxFault {
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'json-syntax', message: `Not JSON: ${message}`, range: { start, end: Math.min(start + 1, text.length) }, pointer: '' };
}
