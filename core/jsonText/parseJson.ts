import { createScanner, stripComments } from 'jsonc-parser';
import type { Json } from '../json.js';
import { findInexactNumbers, inexactWords } from './exactNumbers.js';
import { countKeys, maxDepth, shapeOf } from './jsonShape.js';
import { findSyntaxFaults } from './syntaxFaults.js';
import type { SyntaxFault } from './types.js';

/** A parsed text; `value` is undefined if it is not JSON, or nested too deeply. */
interface ParsedJson {
  readonly value: Json | undefined;
  readonly syntax: readonly SyntaxFault[];
}

/** Parses JSON (RFC 8259) with unique keys and at most `maxDepth` levels, and reports what keeps the text from being that. */
export function parseJson(text: string): ParsedJson {
  const start = startOf(text);
  const { keys, depth } = shapeOf(text);
  if (depth > maxDepth) return { value: undefined, syntax: findSyntaxFaults(text, start) };
  let value: Json;
  try {
    value = JSON.parse(text.slice(start)) as Json;
  } catch (error) {
    if (text.startsWith(lfsPointer, start)) return { value: undefined, syntax: [keptElsewhere(text, start)] };
    const faults = findSyntaxFaults(text, start);
    return { value: undefined, syntax: faults.length > 0 ? faults : [unexplained(error, text, start)] };
  }
  const twice = countKeys(value) === keys ? [] : findSyntaxFaults(text, start);
  const inexact = findInexactNumbers(text);
  if (inexact.length === 0) return { value, syntax: twice };
  const faults = inexact.map(
    (number): SyntaxFault => ({ code: 'json-syntax', message: inexactWords(number), range: number.range, pointer: '' }),
  );
  // With a different number in it, the value is not that of the text and must not be used.
  return { value: undefined, syntax: [...twice, ...faults] };
}

/** Like `parseJson`, but comments and commas after the last entry are allowed. */
export function parseJsonWithComments(text: string): ParsedJson {
  const parsed = parseJson(text);
  const isAllowed = ({ code }: SyntaxFault) => code === 'json-comment' || code === 'trailing-comma';
  return parsed.syntax.some(isAllowed) ? parseJson(withoutComments(text)) : parsed;
}

/** The same text with comments and trailing commas replaced by spaces, so that every offset stays valid. Linear in its length. */
function withoutComments(text: string): string {
  const plain = stripComments(text, ' ');
  const scanner = createScanner(plain, true);
  let done = '';
  let end = 0;
  let before = '';
  let comma: number | undefined;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const at = scanner.getTokenOffset();
    const unit = plain[at] ?? '';
    if ((unit === '}' || unit === ']') && comma !== undefined) {
      done += `${plain.slice(end, comma)} `;
      end = comma + 1;
    }
    comma = unit === ',' && !'{[,'.includes(before) ? at : undefined;
    before = unit;
  }
  return done + plain.slice(end);
}

/** The offset after a byte order mark. */
function startOf(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0;
}

/** If the search for faults ever misses something that `JSON.parse` refuses, the file is still reported. */
function unexplained(error: unknown, text: string, start: number): SyntaxFault {
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'json-syntax', message: `Not JSON: ${message}`, range: { start, end: Math.min(start + 1, text.length) }, pointer: '' };
}

const lfsPointer = 'version https://git-lfs.github.com/spec/';

/** What Git LFS leaves of a file in commits, and in a clone without its files. */
function keptElsewhere(text: string, start: number): SyntaxFault {
  const message = 'This is a pointer to a file in Git LFS, not the file: run `git lfs pull`, or keep the file in git itself.';
  return { code: 'json-syntax', message, range: { start, end: text.length }, pointer: '' };
}
