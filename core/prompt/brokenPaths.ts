import { parseTemplate } from './template.js';

/** A `{{` of a template that does not begin a path, so it is sent as written. `start` and `end` count UTF-16 units. */
export interface BrokenPath {
  readonly kind: 'nested' | 'unclosed' | 'empty' | 'path';
  readonly start: number;
  readonly end: number;
}

/**
 * What was probably meant as a `{{path}}` but is not one, in order; at most the first 100. Doubled braces around data or code (`{{"a": 1}}`, on
 * one line or several, `style={{ color: "red" }}`) and a brace before a path (`{{{input.a}}}`) are ordinary text. Linear in the length of the text.
 */
export function findBrokenPaths(text: string): readonly BrokenPath[] {
  const broken: BrokenPath[] = [];
  for (let offset = 0, { parts } = parseTemplate(text), index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined) break;
    if (typeof part !== 'string') {
      offset = part.end;
      continue;
    }
    // If a path follows directly, it is inside a brace that is still open.
    collect(part, offset, index + 1 < parts.length, broken);
    offset += part.length;
  }
  return broken;
}

const most = 100;
const longest = 300;

function collect(text: string, offset: number, pathFollows: boolean, faults: BrokenPath[]): void {
  for (let at = text.indexOf('{{'); at !== -1 && faults.length < most; ) {
    // Of three braces the last two count, as they do for paths.
    if (text[at + 2] === '{') {
      at += 1;
      continue;
    }
    const line = lineFrom(text, at + 2);
    const broken = isData(text, at + 2) ? undefined : brokenAt(text, at, line, pathFollows);
    if (broken) faults.push({ ...broken, start: broken.start + offset, end: broken.end + offset });
    at = text.indexOf('{{', broken?.end ?? at + 2);
  }
}

function brokenAt(text: string, start: number, line: string, pathFollows: boolean): BrokenPath {
  const close = line.indexOf('}}');
  const next = line.indexOf('{{');
  if (close !== -1 && (next === -1 || close < next)) {
    const kind = line.slice(0, close).trim() === '' ? 'empty' : 'path';
    return { kind, start, end: start + 2 + close + 2 };
  }
  const [begun = ''] = /^[ \t]*[\p{L}\p{M}\p{N}_$.-]*/u.exec(line) ?? [];
  // One of the two closing braces may be present.
  const isHalfClosed = /\S/.test(begun) && line[begun.length] === '}';
  const end = start + 2 + (isHalfClosed ? begun.length + 1 : begun.trimEnd().length);
  const isNested = begun === line ? pathFollows && start + 2 + begun.length === text.length : line.startsWith('{{', begun.length);
  return { kind: isNested ? 'nested' : 'unclosed', start, end };
}

/** Whether JSON, a list or an object literal begins there, or an empty one ends there on another line. */
function isData(text: string, from: number): boolean {
  const part = text.slice(from, from + longest);
  const inside = part.trimStart();
  if (inside.startsWith('}')) return /[\n\r]/.test(part.slice(0, part.length - inside.length));
  return /^(?:["'[]|-?\d|\.\.\.|[\p{L}_$][\p{L}\p{N}_$-]*[ \t]*:[\s\d"'`[{-])/u.test(inside);
}

function lineFrom(text: string, from: number): string {
  const part = text.slice(from, from + longest);
  const end = part.search(/[\n\r]/);
  return end === -1 ? part : part.slice(0, end);
}

/** What is wrong and how to fix it. */
export function brokenPathWords(text: string, { kind, start, end }: BrokenPath): string {
  const written = text.slice(start, Math.min(end, start + 60)) + (end - start > 60 ? '...' : '');
  const fate = 'so it stays as it is written';
  switch (kind) {
    case 'nested':
      return `${written} holds another path, and paths do not nest, ${fate}. Write one {{path}} after the other.`;
    case 'unclosed':
      return `${written} has ${written.endsWith('}') ? 'only one closing brace' : 'no closing braces'}, ${fate}. ${written.length > 2 ? `Write ${closedPath(written)}.` : 'Write {{path}} where a value is meant.'}`;
    case 'empty':
      return `${written} names no path, ${fate}. Write {{path}} where a value is meant.`;
    default:
      return `${written} is not a path, ${fate}: names with dots between them are one, such as {{input.task}}, and there are no blocks or filters.`;
  }
}

/** The written part of an unclosed path, with its closing braces. */
export function closedPath(written: string): string {
  return `${written.replace(/\s*\}$/, '')}}}`;
}
