import { expect } from 'vitest';
import type { PlacedFinding, TextRange } from '../../core/finding.js';
import { rules } from '../../core/generated/rules.js';
import type { RuleCode } from '../../core/ruleCodes.js';
import { checkProject } from './checkProject.js';
import { drawMarks, type Mark, readMarks } from './markedText.js';

/** How a fixture is written to the memory file system. Marks stay where they are: they are about the text as drawn. */
export interface FixtureOptions {
  /** Line ends of every file. Default `\n`. */
  readonly eol?: '\n' | '\r\n';
  /** What every file begins with. Default nothing. */
  readonly start?: '' | '\uFEFF';
  /** Names of the environment variables that are set. Default none. */
  readonly variables?: readonly string[];
}

/** The path of a fixture's text before its first `--- path` line. */
export const defaultPath = 'config/agents/A2/v1.json';

/**
 * Makes the check of a test file. A fixture is one agent file, or several files each under a line `--- path`; a line
 * `--- path at base` opens the file as it is at the git base. Marks (see `markedText.ts`) say what is found where: all findings
 * of the given codes, no others; without codes, everything found. Related places are drawn as marks named `related` when the
 * fixture has at least one such mark. A failure shows the fixture as it is and as it should be.
 */
export function checkRule(...codes: readonly RuleCode[]) {
  return async (fixture: string, options: FixtureOptions = {}): Promise<void> => {
    const sections = splitFixture(fixture);
    const findings = await findIn(sections, codes, options);
    const marks = sections.flatMap((section) => section.marks);
    const withRelated = marks.some((mark) => mark.code === 'related');
    const drawn = sections.map((section) => section.header + drawSection(section, findings, withRelated, options)).join('\n');
    expect(drawn).toBe(fixture);
  };
}

/** What a fixture's files yield, for tests about `data`, severity or order. Only the given codes; all without. */
export async function findingsOf(
  fixture: string,
  codes: readonly RuleCode[] = [],
  options: FixtureOptions = {},
): Promise<readonly PlacedFinding[]> {
  return findIn(splitFixture(fixture), codes, options);
}

/** What is found, each as its pointer and its message. */
export async function sentencesOf(fixture: string, code: RuleCode): Promise<readonly string[]> {
  const findings = await findingsOf(fixture, [code]);
  return findings.map(({ pointer, message }) => `${pointer} ${message}`);
}

interface Section {
  /** The `--- path` line with its line end, or nothing. */
  readonly header: string;
  readonly path: string;
  readonly atBase: boolean;
  readonly text: string;
  readonly marks: readonly Mark[];
}

const headerLine = /^--- (.+?)( at base)?$/;

function splitFixture(fixture: string): Section[] {
  const blocks: { header: string; path: string; atBase: boolean; lines: string[] }[] = [];
  for (const line of fixture.split('\n')) {
    const found = headerLine.exec(line);
    if (found !== null) blocks.push({ header: `${line}\n`, path: found[1]!, atBase: found[2] !== undefined, lines: [] });
    else if (blocks.length === 0) blocks.push({ header: '', path: defaultPath, atBase: false, lines: [line] });
    else blocks.at(-1)!.lines.push(line);
  }
  return blocks.map(({ header, path, atBase, lines }) => ({ header, path, atBase, ...readMarks(lines.join('\n')) }));
}

async function findIn(
  sections: readonly Section[],
  codes: readonly RuleCode[],
  options: FixtureOptions,
): Promise<readonly PlacedFinding[]> {
  const write = (section: Section) => (options.start ?? '') + section.text.replaceAll('\n', options.eol ?? '\n');
  const files = (atBase: boolean) =>
    new Map(sections.filter((section) => section.atBase === atBase).map((section) => [section.path, write(section)]));
  const findings = await checkProject({
    // It makes every file in our places one of the project.
    files: new Map([['agentstack.json', '{}'], ...files(false)]),
    base: files(true),
    variables: options.variables ?? [],
  });
  // A run asks only the rules that say they can find an error.
  const isDeclared = ({ code }: PlacedFinding) => rules.some((rule) => rule.code === code && (rule.gravest ?? rule.severity) === 'error');
  const isChosen = sections.some(({ text }) => text.includes('"rules"'));
  expect(isChosen ? [] : findings.filter((finding) => finding.severity === 'error' && !isDeclared(finding))).toEqual([]);
  return codes.length === 0 ? findings : findings.filter((finding) => codes.includes(finding.code));
}

function drawSection(section: Section, findings: readonly PlacedFinding[], withRelated: boolean, options: FixtureOptions): string {
  if (section.atBase) return section.text;
  const toDrawn = drawnRange(section, options);
  const marks: Mark[] = [];
  for (const finding of findings) {
    if (finding.file === section.path) marks.push({ range: toDrawn(finding.range), code: finding.code, words: finding.message });
    for (const place of withRelated ? (finding.related ?? []) : []) {
      if (place.file !== section.path) continue;
      if (place.range === undefined) throw new Error(`A related place of ${finding.code} has no range: ${place.pointer}`);
      marks.push({ range: toDrawn(place.range), code: 'related', words: place.message });
    }
  }
  return drawMarks(section.text, withExpectedWords(marks, section.marks));
}

/** Where a place in the written file is in the drawn text: a BOM and carriage returns are not drawn. */
function drawnRange(section: Section, options: FixtureOptions): (range: TextRange) => TextRange {
  const skipped = options.start?.length ?? 0;
  if (options.eol !== '\r\n') return ({ start, end }) => ({ start: Math.max(0, start - skipped), end: Math.max(0, end - skipped) });
  const written = section.text.replaceAll('\n', '\r\n');
  const drawn = (offset: number) => written.slice(0, Math.max(0, offset - skipped)).replaceAll('\r', '').length;
  return ({ start, end }) => ({ start: drawn(start), end: drawn(end) });
}

/**
 * Each finding in the words of a mark that it satisfies (same code, the message holds the words), so that equal means equal text. Marks at
 * the very place go first; another place is still drawn with the expected words, so that a failure shows nothing but the place.
 */
function withExpectedWords(found: readonly Mark[], expected: readonly Mark[]): Mark[] {
  const left = [...expected];
  const words = new Map<Mark, string>();
  for (const isPlace of [(mark: Mark, wanted: Mark) => mark.range.start === wanted.range.start, () => true]) {
    for (const mark of found) {
      if (words.has(mark)) continue;
      const at = left.findIndex((wanted) => wanted.code === mark.code && mark.words.includes(wanted.words) && isPlace(mark, wanted));
      if (at >= 0) words.set(mark, left.splice(at, 1)[0]!.words);
    }
  }
  return found.map((mark) => ({ ...mark, words: words.get(mark) ?? mark.words }));
}
