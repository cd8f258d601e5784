import { toSafeJson } from '../../core/visibleText.js';
import { countOf, type Report } from './report.js';

/** The stable machine format: 1-based places, columns in UTF-16 units, the end exclusive, files relative to the project. */
export function toJsonReport(report: Report): string {
  const findings = report.findings.map(({ file, line, column, end_line, end_column, code, severity, message, pointer }) => ({
    file,
    line,
    column,
    end_line,
    end_column,
    code,
    severity,
    message,
    pointer,
  }));
  const { files, environments = [] } = report;
  return toSafeJson({
    findings,
    files,
    ...(environments.length > 1 && { environments }),
    errors: countOf(report, 'error'),
    warnings: countOf(report, 'warning'),
  });
}
