import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyRuleCode } from '../core/finding.js';
import { readRulePage } from '../core/node/rulePages.js';

/** A rule's page in docs/rules, whole and in the parts that other output quotes. */
export interface RulePage {
  readonly code: AnyRuleCode;
  /** Markdown. */
  readonly text: string;
  /** First paragraph below the title, as plain text on one line. */
  readonly summary: string;
  /** First paragraph of the section "Fix", as plain text on one line; empty without one. */
  readonly fix: string;
}

/** Undefined when the page is not shipped: output without its words is better than none. */
export async function findRulePage(code: AnyRuleCode): Promise<RulePage | undefined> {
  const text = readRulePage(join(packageRoot(), 'docs'), code);
  if (text === undefined) return undefined;
  const fixAt = text.search(/^## Fix\s*$/m);
  return { code, text, summary: firstParagraph(text), fix: fixAt < 0 ? '' : withoutLeadIn(firstParagraph(text.slice(fixAt))) };
}

/** The first paragraph or list item after the heading that `text` begins with. */
function firstParagraph(text: string): string {
  const lines = text.split(/\r?\n/).slice(1);
  const from = lines.findIndex((line) => line.trim() !== '');
  if (from < 0 || lines[from]!.startsWith('#')) return '';
  const rest = lines.slice(from);
  const to = rest.findIndex((line, index) => index > 0 && (line.trim() === '' || /^(?:[-*#]|\d+\.|```)/.test(line)));
  const paragraph = (to < 0 ? rest : rest.slice(0, to)).join(' ').replace(/^(?:[-*]|\d+\.)\s+/, '');
  return paragraph
    .replace(/\*\*|`/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Without a last sentence that only leads to the example below it. */
function withoutLeadIn(paragraph: string): string {
  const lastSentence = paragraph.lastIndexOf('. ') + 1;
  return paragraph.endsWith(':') && lastSentence > 0 ? paragraph.slice(0, lastSentence) : paragraph;
}

/** The folder this package is installed in: the nearest one upwards from the running file that holds the rule pages. */
function packageRoot(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'docs', 'rules')) && existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) throw new Error(`The files shipped with this package are missing above ${start}`);
  }
}
