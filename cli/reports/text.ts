import type { PlacedFinding, Severity } from '../../core/finding.js';
import { cover, coverSecrets, mayHoldSecret } from '../../core/secrets/secretPatterns.js';
import { visibleText } from '../../core/visibleText.js';
import { findRulePage, type RulePage } from '../rulePage.js';
import { codeFrame } from '../terminal/codeFrame.js';
import type { Styles } from '../terminal/styles.js';
import type { Report } from './report.js';

export interface TextOptions {
  readonly styles: Styles;
  readonly columns: number;
  /** A project path as the reader should see it. */
  readonly pathOf: (file: string) => string;
  /** The text of a project file, or undefined when it cannot be read (again). */
  readonly textOf: (file: string) => Promise<string | undefined>;
}

/** Findings with a code frame. Nobody reads more of them, and in a file of one endless line each takes a look at all of it. */
const framed = 1000;

/**
 * What was found, as a compiler prints it: `file:line:column severity code message`, the code, related places, the fix.
 * Nothing that a file holds can move the cursor or hide.
 */
export async function* textReport({ findings }: Pick<Report, 'findings'>, options: TextOptions): AsyncGenerator<string, void, undefined> {
  const pages = new Map<string, RulePage | undefined>();
  let file: string | undefined;
  let text: string | undefined;
  for (const [index, finding] of findings.entries()) {
    if (index === framed) {
      const { length } = findings;
      yield `${options.styles.dim(`Only the first ${framed} of ${length} findings are shown with their code and their fix.`)}\n`;
    }
    if (index >= framed) {
      yield headline(finding, options);
      continue;
    }
    if (finding.file !== file) {
      file = finding.file;
      text = withoutSecrets(await options.textOf(file), findings, file);
    }
    if (!pages.has(finding.code)) pages.set(finding.code, await findRulePage(finding.code));
    yield describe(finding, text, pages.get(finding.code)?.fix ?? '', options).join('\n');
  }
}

/** The text as it may be shown: what looks like a secret, by its shape or to the rule that looks for them, is covered. */
function withoutSecrets(text: string | undefined, findings: readonly PlacedFinding[], file: string): string | undefined {
  if (text === undefined) return undefined;
  let shown = text;
  for (const { code, range, file: at } of findings) {
    if (at !== file || code !== 'secret-in-plain-text') continue;
    shown = shown.slice(0, range.start) + cover(shown.slice(range.start, range.end)) + shown.slice(range.end);
  }
  return mayHoldSecret(shown) ? coverSecrets(shown) : shown;
}

function headline({ file, line, column, code, message, severity }: PlacedFinding, { styles, pathOf }: TextOptions): string {
  const colour = colourOf(severity, styles);
  return `${styles.bold(`${visibleText(pathOf(file))}:${line}:${column}`)} ${colour(severity)} ${styles.cyan(code)} ${visibleText(message)}`;
}

function describe(finding: PlacedFinding, text: string | undefined, fix: string, options: TextOptions): string[] {
  const { styles, columns, pathOf } = options;
  const { line, severity, range } = finding;
  const colour = colourOf(severity, styles);
  const lines = [headline(finding, options)];
  if (text !== undefined && text.trim() !== '') {
    lines.push(...codeFrame(text, range, line, { columns: columns - 2, styles, mark: colour }).map((row) => `  ${row}`));
  }
  for (const place of finding.related ?? []) {
    const at = place.line === undefined ? pathOf(place.file) : `${pathOf(place.file)}:${place.line}:${place.column}`;
    lines.push(`  ${styles.dim('see')} ${visibleText(at)} ${visibleText(place.message)}`);
  }
  if (fix !== '') lines.push(`  ${styles.green('fix')} ${visibleText(fix)}`);
  return [...lines, ''];
}

function colourOf(severity: Severity, styles: Styles): (text: string) => string {
  if (severity === 'error') return styles.red;
  return severity === 'warning' ? styles.yellow : styles.blue;
}
