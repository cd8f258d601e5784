import type { JsonObject } from '../../json.js';
import { FileProblem } from '../../ports.js';
import { refusal } from '../../secrets/secretFiles.js';
import type { ToolContext, ToolOutcome } from '../types.js';
import { coveredStretch, type FilePorts, failed, leftOut, newWalk, toProjectPath, walkFiles } from './projectFiles.js';

/** Of a line, in UTF-16 units. */
const longestShown = 240;

/** `search_files`: lines that hold a text or match a pattern, each with its file and number. */
export async function searchFiles(ports: FilePorts, input: JsonObject, { signal }: Pick<ToolContext, 'signal'>): Promise<ToolOutcome> {
  const { query = '', is_regex, case_sensitive, path: written = '', max_results = 20 } = input;
  const path = toProjectPath(String(written));
  if (path === undefined) return failed(`${JSON.stringify(written)} is outside the project. Give a folder inside it, or none.`);
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
      for (const found of findLines(text, finder)) {
        if (results.length === Number(max_results)) {
          isFull = true;
          break;
        }
        results.push({ id, ...found });
      }
      if (isFull) break;
    }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return failed(`There is no ${path} to look in.`);
  }
  const notes = [...(isFull ? ['There are more results: name a path, or make the query narrower.'] : []), ...leftOut(walk)];
  const head = results.length === 0 ? noMatch(files, path) : '';
  const content = [head, ...results.map(({ id, line, text }) => `${id}:${line}: ${text}`), ...notes]
    .filter((part) => part !== '')
    .join('\n');
  return { content, value: { results: results.map((result) => ({ ...result })), complete: !isFull && walk.complete } };
}

function noMatch(files: number, path: string): string {
  if (files === 0 && path !== '') return `${path} is not there, or holds no text files. Leave path out to look everywhere.`;
  return `No line in ${files} ${files === 1 ? 'file' : 'files'} matches.`;
}

interface Finder {
  /** Whether a text could hold a line that matches; a quick no. */
  mayHold(text: string): boolean;
  /** Where the match begins in a line, as far as that is known; undefined for none. */
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
    return { mayHold: () => true, find: (line) => (pattern.test(line) ? 0 : undefined) };
  }
  if (/[\r\n]/.test(query)) return { fault: 'The query has a line break, and lines are searched one by one. Search for one line of it.' };
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const wanted = fold(query);
  return {
    mayHold: (text) => fold(text).includes(wanted),
    find(line) {
      const at = fold(line).indexOf(wanted);
      return at < 0 ? undefined : at;
    },
  };
}

function* findLines(text: string, finder: Finder): Generator<{ readonly line: number; readonly text: string }, void, undefined> {
  if (!finder.mayHold(text)) return;
  let line = 0;
  for (let start = 0; start < text.length; ) {
    line += 1;
    const lineBreak = text.indexOf('\n', start);
    const next = lineBreak < 0 ? text.length : lineBreak + 1;
    const end = lineBreak < 0 ? text.length : lineBreak > start && text[lineBreak - 1] === '\r' ? lineBreak - 1 : lineBreak;
    const shown = finder.find(text.slice(start, end)) === undefined ? undefined : showLine(text, start, end, finder);
    if (shown !== undefined) yield { line, text: shown };
    start = next;
  }
}

/** A line without its secrets; undefined when only a secret matches: else a secret could be guessed from what is found and what not. */
function showLine(text: string, start: number, end: number, finder: Finder): string | undefined {
  const covered = coveredStretch(text, start, end);
  const at = finder.find(covered);
  if (at === undefined) return undefined;
  if (covered.length <= longestShown) return covered.trim();
  const from = Math.max(0, Math.min(at - longestShown / 4, covered.length - longestShown));
  const stretch = covered.slice(from, from + longestShown).toWellFormed();
  return `${from > 0 ? '…' : ''}${stretch.trim()}${from + longestShown < covered.length ? '…' : ''}`;
}
