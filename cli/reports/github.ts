import type { Severity } from '../../core/finding.js';
import { visibleLines } from '../../core/visibleText.js';
import type { Report } from './report.js';

/**
 * Workflow commands of GitHub Actions, one line a finding: they become annotations of the changed lines.
 * Columns are given only for a range on one line, as GitHub asks.
 *
 * @param uriOf where a project file is below the repository's root
 */
export function toGithubReport(report: Report, uriOf: (file: string) => string): string {
  return report.findings
    .map(({ file, line, column, end_line, end_column, code, severity, message }) => {
      const places: [string, string | number][] = [
        ['file', uriOf(file)],
        ['line', line],
        ['endLine', end_line],
        ...(line === end_line
          ? ([
              ['col', column],
              ['endColumn', end_column],
            ] as [string, number][])
          : []),
        ['title', code],
      ];
      const properties = places.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',');
      return `::${commands[severity]} ${properties}::${escapeData(message)}`;
    })
    .join('\n');
}

const commands: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'notice', hint: 'notice' };

export function escapeData(text: string): string {
  return visibleLines(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
