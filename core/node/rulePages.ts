import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The path of a rule's page; undefined for an unknown code.
 *
 * @param docs the docs folder of the package
 */
export function rulePagePath(docs: string, code: string): string | undefined {
  const page = join(docs, 'rules', `${code}.md`);
  return existsSync(page) ? page : undefined;
}

/** The page itself, in Markdown. */
export function readRulePage(docs: string, code: string): string | undefined {
  const page = rulePagePath(docs, code);
  return page && readFileSync(page, 'utf8');
}
