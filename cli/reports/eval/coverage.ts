import type { Coverable, CoverableKind } from '../../../core/eval/coverage/agentCoverage.js';
import { locate } from '../../../core/jsonText/locate.js';
import { positionsIn } from '../../../core/jsonText/textPositions.js';
import { visibleText } from '../../../core/visibleText.js';
import { plural } from '../../../core/words.js';
import type { ReportContext } from './types.js';

const nouns: { readonly [kind in CoverableKind]: string } = {
  enum_value: 'enum value',
  tool: 'tool',
  default: 'default',
  route: 'route',
};

/** What the cases have reached: for each file how much, then each thing that no run has, with its place. */
export async function coverageText(covered: readonly Coverable[], { project, styles }: ReportContext): Promise<string> {
  if (covered.length === 0) return 'Coverage: the cases name nothing that can be covered.';
  const lines = [styles.bold('Coverage')];
  for (const [file, own] of byFile(covered)) {
    lines.push(`  ${visibleText(project.shownPath(file))}  ${styles.dim(sharesOf(own).join(', '))}`);
    const lineOf = linesIn(await project.textOf(file), own);
    for (const { kind, pointer, label, hits } of own) {
      if (hits > 0) continue;
      const place = `${project.shownPath(file)}:${lineOf(pointer)}`;
      lines.push(`    ${styles.yellow('not reached')}  ${styles.cyan(place)}  ${nouns[kind]} ${visibleText(label)}`);
    }
  }
  return lines.join('\n');
}

/** The same as a table, for a comment on a pull request. @param escaped makes text of what files say */
export function coverageMarkdown(covered: readonly Coverable[], escaped: (text: string) => string): string {
  const rows = [...byFile(covered)].map(([file, own]) => {
    const missing = own.filter(({ hits }) => hits === 0).map(({ label }) => escaped(label));
    return `| ${escaped(file)} | ${sharesOf(own).join(', ')} | ${missing.join('<br>')} |`;
  });
  return ['### Coverage', '', '| File | Reached | Not reached |', '| --- | --- | --- |', ...rows].join('\n');
}

function byFile(covered: readonly Coverable[]): ReadonlyMap<string, readonly Coverable[]> {
  const files = new Map<string, Coverable[]>();
  for (const line of covered) {
    const own = files.get(line.file) ?? [];
    files.set(line.file, own);
    own.push(line);
  }
  return files;
}

/** `2 of 3 enum values`. */
function sharesOf(own: readonly Coverable[]): readonly string[] {
  return (Object.keys(nouns) as CoverableKind[]).flatMap((kind) => {
    const all = own.filter((line) => line.kind === kind);
    return all.length === 0 ? [] : [`${all.filter(({ hits }) => hits > 0).length} of ${plural(all.length, nouns[kind])}`];
  });
}

function linesIn(text: string | undefined, own: readonly Coverable[]): (pointer: string) => number {
  if (text === undefined) return () => 1;
  const locations = locate(text, new Set(own.map(({ pointer }) => pointer)));
  const positionOf = positionsIn(text);
  return (pointer) => {
    const located = locations.get(pointer);
    return located === undefined ? 1 : positionOf(located.key?.start ?? located.value.start).line;
  };
}
