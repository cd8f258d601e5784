import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A rule's page: a whole file or a part of one. */
export interface RulePageFile {
  readonly file: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** Markdown. */
  readonly read: () => string;
}

/**
 * `rules/{code}.md`, or the part of `rules.md` below `<!-- page: {code} -->`: the extension has all pages in one file, since its files are limited.
 *
 * @param docs the docs folder of the package
 */
export function findRulePageFile(docs: string, code: string): RulePageFile | undefined {
  const own = join(docs, 'rules', `${code}.md`);
  if (existsSync(own)) return { file: own, line: 1, read: () => readFileSync(own, 'utf8') };
  const shared = join(docs, 'rules.md');
  if (!existsSync(shared)) return undefined;
  const text = readFileSync(shared, 'utf8');
  const mark = `<!-- page: ${code} -->\n`;
  const at = text.indexOf(mark);
  if (at < 0) return undefined;
  const start = at + mark.length;
  const end = text.indexOf('<!-- page: ', start);
  return { file: shared, line: text.slice(0, start).split('\n').length, read: () => text.slice(start, end < 0 ? text.length : end) };
}
