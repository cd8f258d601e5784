import type { PlacedFinding } from '../finding.js';
import { type EffectiveLine, type EffectiveRequest, effectiveView } from './effectiveView.js';

export interface EffectivePageRequest {
  /** `Writer@v1, environment dev`. */
  readonly title: string;
  /** Name of the snapshot; undefined while the config cannot be frozen. */
  readonly hash: string | undefined;
  /** More to know, a sentence each. */
  readonly notes: readonly string[];
  /** What stops a run, if anything does. */
  readonly errors: readonly PlacedFinding[];
  /** Why `content` is an older state, or missing. */
  readonly stale?: string | undefined;
  /** Undefined where nothing is known. */
  readonly content: EffectiveRequest | undefined;
}

/** A line of the page; those of the head have no pointer. */
export interface PageLine {
  readonly text: string;
  /** Of a line of the config. */
  readonly config?: EffectiveLine;
  /** Of a line of the head that tells of it. */
  readonly error?: PlacedFinding;
}

/** More errors than these are counted. */
const mostErrors = 50;

/**
 * An effective config as a page: what it is and its hash, everything that stops a run, then the config. The head is comments, so that what is
 * below it can be read as JSON; all of it together is JSON with comments.
 */
export function effectivePage({ title, hash, notes, errors, stale, content }: EffectivePageRequest): readonly PageLine[] {
  const lines: PageLine[] = [{ text: `// Effective configuration of ${onOneLine(title)}` }];
  lines.push({ text: hash === undefined ? '// Not frozen: no hash' : `// SHA-256 ${hash}` });
  for (const note of notes) lines.push({ text: `// ${onOneLine(note)}` });
  if (errors.length > 0)
    lines.push({ text: `// ${errors.length === 1 ? '1 error: it stops' : `${errors.length} errors: they stop`} a run` });
  for (const error of errors.slice(0, mostErrors)) {
    const { file, line, column, code, message } = error;
    lines.push({ text: `//   ${onOneLine(`${file}:${line}:${column} ${code}: ${message}`)}`, error });
  }
  if (errors.length > mostErrors) lines.push({ text: `//   and ${errors.length - mostErrors} more` });
  if (stale !== undefined)
    lines.push({ text: `// ${content === undefined ? 'Nothing is known yet' : 'Last good state'}: ${onOneLine(stale)}` });
  if (content === undefined) return [...lines, { text: '{}' }];
  for (const config of effectiveView(content)) lines.push({ text: config.text, config });
  return lines;
}

/** Names of files may hold anything; what is said of them stays within its comment. */
export function onOneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ');
}
