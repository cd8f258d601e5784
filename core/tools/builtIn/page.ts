import type { JsonObject } from '../../json.js';
import { FileProblem, type OpenedFile } from '../../ports.js';
import { refusal, refusalOfOpened } from '../../secrets/secretFiles.js';
import type { ToolOutcome } from '../types.js';
import { coveredStretch, type FilePorts, failed, isBinary, toProjectPath } from './projectFiles.js';

/** Longest page, in UTF-16 units: about 4,000 tokens. */
const pageLength = 16_000;

/** A part of a file. */
export interface Page {
  readonly path: string;
  /** The whole file. */
  readonly whole: string;
  /** The page, with its secrets masked. */
  readonly text: string;
  /** First and last line of the page, 1-based. */
  readonly from_line: number;
  readonly to_line: number;
  readonly lines: number;
  /** Start of the next page; null on the last. */
  readonly next_offset: number | null;
}

/** The requested page of a file, or the reason for the model why there is none. */
export async function readPage({ files }: FilePorts, requested: string, input: JsonObject): Promise<Page | ToolOutcome> {
  const path = toProjectPath(requested);
  if (path === undefined || path === '')
    return failed(`${JSON.stringify(requested)} is not a file of the project. Give a path inside it, such as "docs/guide.md".`);
  const refused = refusal(path);
  if (refused !== undefined) return failed(refused);
  let opened: OpenedFile;
  try {
    opened = await files.readOpened(path);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return failed(problems[error.reason]?.(path) ?? `${path} cannot be read.`);
  }
  const refusedTarget = refusalOfOpened(path, opened);
  if (refusedTarget !== undefined) return failed(refusedTarget);
  const whole = opened.text;
  if (isBinary(whole)) return failed(`${path} is not a text file.`);
  return cutPage(path, whole.startsWith('\ufeff') ? whole.slice(1) : whole, input);
}

function cutPage(path: string, whole: string, { from_line, offset }: JsonObject): Page | ToolOutcome {
  const lines = countLines(whole, whole.length);
  let start = 0;
  if (typeof offset === 'number') start = offset;
  else if (typeof from_line === 'number') {
    if (from_line > lines) return failed(`${path} has only ${lines} lines, so there is no line ${from_line}.`);
    start = startOfLine(whole, from_line);
  }
  if (start > whole.length || (start === whole.length && start > 0))
    return failed(`${path} has ${whole.length} characters, so there is nothing at offset ${start}.`);
  const end = endOfPage(whole, start);
  return {
    path,
    whole,
    text: coveredStretch(whole, start, end),
    from_line: countLines(whole, start),
    to_line: countLines(whole, Math.max(start, end - 1)),
    lines,
    next_offset: end < whole.length ? end : null,
  };
}

/** A page for the model: its place in the file, its text, and the offset of the next page. */
export function pageText({ path, text, from_line, to_line, lines, next_offset }: Page): string {
  if (text === '') return `${path} is empty.`;
  const more = next_offset === null ? '' : `\n[The file continues. Next page: offset ${next_offset}.]`;
  return `${path}, lines ${from_line} to ${to_line} of ${lines}:\n${text}${more}`;
}

export function pageValue({ path, text, from_line, to_line, lines, next_offset }: Page): JsonObject {
  return { id: path, from_line, to_line, lines, next_offset, text };
}

/** After the last line break that fits; within a line that is longer than a page. */
function endOfPage(text: string, start: number): number {
  const limit = start + pageLength;
  if (limit >= text.length) return text.length;
  const lineBreak = text.lastIndexOf('\n', limit - 1);
  if (lineBreak >= start) return lineBreak + 1;
  const unit = text.charCodeAt(limit);
  // Not between the halves of a surrogate pair.
  return 0xdc00 <= unit && unit <= 0xdfff ? limit - 1 : limit;
}

/** Lines up to and including that of an offset. The empty text after a final line break is not a line. */
function countLines(text: string, offset: number): number {
  const end = offset === text.length && text.endsWith('\n') ? offset - 1 : offset;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function startOfLine(text: string, line: number): number {
  let start = 0;
  for (let number = 1; number < line; number += 1) start = text.indexOf('\n', start) + 1;
  return start;
}

const problems: { readonly [reason in FileProblem['reason']]?: (path: string) => string } = {
  'not-found': (path) => `There is no file ${path}. Find files with search_metadata or search_files.`,
  'is-directory': (path) => `${path} is a folder. Name a file in it.`,
  'too-large': (path) => `${path} is larger than 10 MB, too large to be read.`,
  'not-utf8': (path) => `${path} is not a text file.`,
  'no-permission': (path) => `There is no permission to read ${path}.`,
  'outside-project': (path) => `${path} is outside the project.`,
};
