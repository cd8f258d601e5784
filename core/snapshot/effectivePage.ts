import type { PlacedFinding } from '../finding.js';
import { inEnglish, type Translate } from '../words.js';
import type { Origin } from './effective.js';
import { type EffectiveLine, type EffectiveRequest, effectiveView } from './effectiveView.js';
import { originMarks } from './originMarks.js';

export interface EffectivePageRequest {
  /** `Writer@v1`. */
  readonly name: string;
  readonly environment: string;
  /** Name of the snapshot; undefined while the config cannot be frozen. */
  readonly hash: string | undefined;
  /** Further remarks, one sentence each. */
  readonly notes: readonly string[];
  /** Errors that stop a run. */
  readonly errors: readonly PlacedFinding[];
  /** Why `content` is an older state, or missing. */
  readonly stale?: string | undefined;
  /** Undefined if nothing is known. */
  readonly content: EffectiveRequest | undefined;
}

/** A line of the page; those of the head have no pointer. */
export interface PageLine {
  readonly text: string;
  /** Set on a line of the config. */
  readonly config?: EffectiveLine;
  /** Where it comes from, if that differs from its surroundings. */
  readonly mark?: Origin;
  /** Set on a line of the head that reports it. */
  readonly error?: PlacedFinding;
}

/** Further errors are only counted. */
const mostErrors = 50;

/**
 * An effective config as a page: what it is and its hash, everything that stops a run, then the config. The head is all comments, so what is
 * below it can be read as JSON; the whole page is JSON with comments.
 */
export function effectivePage(
  { name, environment, hash, notes, errors, stale, content }: EffectivePageRequest,
  t: Translate = inEnglish,
): readonly PageLine[] {
  const lines: PageLine[] = [];
  const say = (text: string, more: Omit<PageLine, 'text'> = {}) => lines.push({ text: `// ${onOneLine(text)}`, ...more });
  say(t('Effective configuration of {0}, environment {1}', name, environment));
  say(hash === undefined ? t('Not frozen: no hash') : `SHA-256 ${hash}`);
  for (const note of notes) say(note);
  if (errors.length > 0) say(errors.length === 1 ? t('1 error: it stops a run') : t('{0} errors: they stop a run', errors.length));
  for (const error of errors.slice(0, mostErrors)) {
    const { file, line, column, code, message } = error;
    say(`  ${file}:${line}:${column} ${code}: ${message}`, { error });
  }
  if (errors.length > mostErrors) say(`  ${t('and {0} more', errors.length - mostErrors)}`);
  if (stale !== undefined) say(content === undefined ? t('Nothing is known yet: {0}', stale) : t('Last good state: {0}', stale));
  if (content === undefined) return [...lines, { text: '{}' }];
  const view = effectiveView(content);
  const marks = originMarks(view, content);
  for (const [index, config] of view.entries()) {
    const mark = marks[index] ?? undefined;
    lines.push({ text: config.text, config, ...(mark && { mark }) });
  }
  return lines;
}

/** File names may contain anything; a remark about them must stay within its comment. */
export function onOneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ');
}
