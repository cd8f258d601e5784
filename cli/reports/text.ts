import type { AnyFinding, Severity, TextRange } from '../../core/finding.js';
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
  /** Absolute path of the project folder, for the fixes of the editor. Default: only the words of the rules' pages. */
  readonly root?: string;
}

/** How many findings get a code frame: the terminal of VS Code keeps 1,000 lines, and in a file of one very long line each frame takes a pass over it. */
const framed = 50;

/**
 * What was found, as a compiler prints it: `file:line:column severity code message`, the code, related places, the fix.
 * Control characters of a file never reach the terminal.
 */
export async function* textReport({ findings }: Pick<Report, 'findings'>, options: TextOptions): AsyncGenerator<string, void, undefined> {
  const pages = new Map<string, RulePage | undefined>();
  const secrets = secretPlaces(findings);
  const titlesOf =
    findings.length === 0 || options.root === undefined
      ? undefined
      : await (await import('../../server/main.js')).openFixTitles(options.root);
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
      text = withoutSecrets(await options.textOf(file), secrets.get(file));
    }
    if (!pages.has(finding.code)) pages.set(finding.code, await findRulePage(finding.code));
    // The sentence of the page need not be true of each finding of a rule that has fixes.
    const fix = titlesOf?.(finding) === undefined ? (pages.get(finding.code)?.fix ?? '') : fixWords(titlesOf(finding) ?? []);
    yield describe(finding, text, fix, options).join('\n');
  }
}

/** The first fixes, as one sentence. */
function fixWords(titles: readonly string[]): string {
  const first = titles.slice(0, 3);
  const values = first.flatMap((title) => (title.startsWith(changeTo) ? [title.slice(changeTo.length)] : []));
  if (values.length > 1 && values.length === first.length) return `${changeTo}${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  return first.map((title, index) => (index === 0 ? title : `or ${title.charAt(0).toLowerCase()}${title.slice(1)}`)).join(', ');
}

const changeTo = 'Change to ';

/** Where the rule about secrets has found some, by file and in the order of the findings. */
function secretPlaces(findings: readonly AnyFinding[]): ReadonlyMap<string, readonly TextRange[]> {
  const places = new Map<string, TextRange[]>();
  for (const { code, file, range } of findings) {
    if (code !== 'secret-in-plain-text') continue;
    const ranges = places.get(file);
    if (ranges === undefined) places.set(file, [range]);
    else ranges.push(range);
  }
  return places;
}

/** The text as it may be shown: secrets that the rule has found, and everything else shaped like one, are masked by `*`. Places stay the same. */
function withoutSecrets(text: string | undefined, places: readonly TextRange[] = []): string | undefined {
  if (text === undefined) return undefined;
  let covered = '';
  let at = 0;
  for (const { start, end } of places) {
    if (end <= at) continue;
    covered += text.slice(at, start) + cover(text.slice(Math.max(at, start), end));
    at = end;
  }
  covered += text.slice(at);
  return mayHoldSecret(covered) ? coverSecrets(covered) : covered;
}

function headline({ file, line, column, code, message, severity }: AnyFinding, { styles, pathOf }: TextOptions): string {
  const colour = colourOf(severity, styles);
  return `${styles.bold(`${visibleText(pathOf(file))}:${line}:${column}`)} ${colour(severity)} ${styles.cyan(code)} ${visibleText(message)}`;
}

function describe(finding: AnyFinding, text: string | undefined, fix: string, options: TextOptions): string[] {
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
