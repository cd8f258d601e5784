import type { JsonObject } from '../../json.js';
import { FileProblem } from '../../ports.js';
import { refusal } from '../../secrets/secretFiles.js';
import type { ToolContext, ToolOutcome } from '../types.js';
import { coveredStretch, type FilePorts, failed, leftOut, newWalk, toProjectPath, walkFiles } from './projectFiles.js';

/** In UTF-16 units. */
const longestLine = 240;

/** `search_files`: lines that contain a text or match a pattern, each with its file and number. */
export async function searchFiles(ports: FilePorts, input: JsonObject, { signal }: Pick<ToolContext, 'signal'>): Promise<ToolOutcome> {
  const { query = '', is_regex, case_sensitive, path: requested = '', max_results = 20 } = input;
  const path = toProjectPath(String(requested));
  if (path === undefined) return failed(`${JSON.stringify(requested)} is outside the project. Give a folder inside it, or none.`);
  const refused = path === '' ? undefined : refusal(path);
  if (refused !== undefined) return failed(refused);
  const finder = await createFinder(String(query), { isRegex: is_regex === true, ignoreCase: case_sensitive !== true });
  if ('fault' in finder) return failed(finder.fault);

  const walk = newWalk();
  const results: { readonly id: string; readonly line: number; readonly text: string }[] = [];
  let files = 0;
  let isFull = false;
  try {
    for await (const { path: id, text } of walkFiles(ports, path, signal, walk)) {
      files += 1;
      for (const match of findLines(text, finder)) {
        if (results.length === Number(max_results)) {
          isFull = true;
          break;
        }
        results.push({ id, ...match });
      }
      if (isFull) break;
    }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return failed(`There is no ${path} to search.`);
  }
  const notes = [...(isFull ? ['There are more results: name a path, or narrow the query.'] : []), ...leftOut(walk)];
  const head = results.length === 0 ? noMatch(files, path) : '';
  const content = [head, ...results.map(({ id, line, text }) => `${id}:${line}: ${text}`), ...notes]
    .filter((part) => part !== '')
    .join('\n');
  return { content, value: { results: results.map((result) => ({ ...result })), complete: !isFull && walk.complete } };
}

function noMatch(files: number, path: string): string {
  if (files === 0 && path !== '') return `${path} does not exist, or has no text files. Leave out path to search everywhere.`;
  return `No line in ${files} ${files === 1 ? 'file' : 'files'} matches.`;
}

interface Finder {
  /** A quick check whether any line of a text can match. */
  mayMatch(text: string): boolean;
  /** The start of the match in a line, 0 if it is not known; undefined without a match. */
  find(line: string): number | undefined;
}

async function createFinder(
  query: string,
  { isRegex, ignoreCase }: { isRegex: boolean; ignoreCase: boolean },
): Promise<Finder | { fault: string }> {
  if (isRegex) {
    const { linearRegExp } = await import('../../schema/linearRegExp.js');
    const pattern = linearRegExp(query, { ignoreCase });
    if (!pattern.ok) return { fault: `The pattern ${JSON.stringify(query)} cannot be used: ${pattern.message}.` };
    return { mayMatch: () => true, find: (line) => (pattern.test(line) ? 0 : undefined) };
  }
  if (/[\r\n]/.test(query)) return { fault: 'The query has a line break, but each line is searched by itself. Search for one line of it.' };
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const folded = fold(query);
  return {
    mayMatch: (text) => fold(text).includes(folded),
    find(line) {
      const at = fold(line).indexOf(folded);
      return at < 0 ? undefined : at;
    },
  };
}

function* findLines(text: string, finder: Finder): Generator<{ readonly line: number; readonly text: string }, void, undefined> {
  if (!finder.mayMatch(text)) return;
  let line = 0;
  for (let start = 0; start < text.length; ) {
    line += 1;
    const lineBreak = text.indexOf('\n', start);
    const next = lineBreak < 0 ? text.length : lineBreak + 1;
    const end = lineBreak < 0 ? text.length : lineBreak > start && text[lineBreak - 1] === '\r' ? lineBreak - 1 : lineBreak;
    const masked = finder.find(text.slice(start, end)) === undefined ? undefined : maskedLine(text, start, end, finder);
    if (masked !== undefined) yield { line, text: masked };
    start = next;
  }
}

/** A line with its secrets masked; undefined if only a secret matches: otherwise searches could guess a secret. */
function maskedLine(text: string, start: number, end: number, finder: Finder): string | undefined {
  const covered = coveredStretch(text, start, end);
  const at = finder.find(covered);
  if (at === undefined) return undefined;
  if (covered.length <= longestLine) return covered.trim();
  const from = Math.max(0, Math.min(at - longestLine / 4, covered.length - longestLine));
  const part = covered.slice(from, from + longestLine).toWellFormed();
  return `${from > 0 ? '…' : ''}${part.trim()}${from + longestLine < covered.length ? '…' : ''}`;
}
