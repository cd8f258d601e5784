import { coverSecrets, mayHoldSecret } from '../core/secrets/secretPatterns.js';
import { toSafeJson, visibleLines, visibleText } from '../core/visibleText.js';
import { plural } from '../core/words.js';
import type { FixedFile } from '../server/main.js';
import { type Cli, type ExitCode, exitCodes, type OpenProject } from './cli.js';
import { unifiedDiff } from './reports/unifiedDiff.js';
import type { Styles } from './terminal/styles.js';

/** The safe fixes of the files under `wanted` (project paths; all where undefined), as the editor's fix-all makes them. */
export async function findFixes(project: OpenProject, wanted: readonly string[] | undefined): Promise<readonly FixedFile[]> {
  const { fixFiles } = await import('../server/main.js');
  const isWanted = (path: string) =>
    wanted === undefined || wanted.some((target) => target === '' || path === target || path.startsWith(`${target}/`));
  return fixFiles(project.root, isWanted);
}

/** Writes the fixes and says which files they are in. */
export async function applyFixes({ terminal }: Cli, project: OpenProject, fixed: readonly FixedFile[]): Promise<void> {
  for (const { path, after } of fixed) {
    await project.files.writeText(path, after);
    terminal.note(`fixed ${visibleText(project.shownPath(path))}`);
  }
}

/** Prints what `--fix` would change, and changes nothing. Exit code 1 says that something would change. */
export function printDryRun({ terminal }: Cli, project: OpenProject, fixed: readonly FixedFile[], json: boolean): ExitCode {
  const diffs = fixed.map(({ path, before, after }) => ({ file: path, lines: unifiedDiff(project.shownPath(path), before, after) }));
  if (json) terminal.print(toSafeJson({ dry_run: true, fixed: diffs.map(({ file, lines }) => ({ file, diff: `${lines.join('\n')}\n` })) }));
  else for (const { lines } of diffs) terminal.print(colouredDiff(lines, terminal.out));
  terminal.note(fixed.length === 0 ? 'Nothing to fix.' : `--fix would change ${plural(fixed.length, 'file')}; nothing was changed.`);
  return fixed.length === 0 ? exitCodes.ok : exitCodes.failed;
}

/** Lines of a unified diff, for a terminal: without secrets and invisible characters. */
export function colouredDiff(lines: readonly string[], styles: Styles): string {
  return lines.map((line) => coloured(line, styles)).join('\n');
}

function coloured(line: string, styles: Styles): string {
  const [, content = '', end = ''] = /^(.*?)(\r?)$/s.exec(line) ?? [];
  const safe = visibleLines(mayHoldSecret(content) ? coverSecrets(content) : content) + end;
  if (line.startsWith('@@')) return styles.cyan(safe);
  if (line.startsWith('---') || line.startsWith('+++')) return styles.bold(safe);
  if (line.startsWith('+')) return styles.green(safe);
  return line.startsWith('-') ? styles.red(safe) : safe;
}
