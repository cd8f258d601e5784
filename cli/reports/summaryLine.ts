import { plural } from '../../core/words.js';
import type { Styles } from '../terminal/styles.js';
import { countOf, type Report } from './report.js';

/** `2 errors and 1 warning in 12 files`, or that nothing is wrong. */
export function summaryLine(report: Report, styles: Styles): string {
  const errors = countOf(report, 'error');
  const warnings = countOf(report, 'warning');
  const others = report.findings.length - errors - warnings;
  const parts = [
    ...(errors > 0 ? [styles.red(plural(errors, 'error'))] : []),
    ...(warnings > 0 ? [styles.yellow(plural(warnings, 'warning'))] : []),
    ...(others > 0 ? [styles.blue(plural(others, 'note'))] : []),
  ];
  const { environments = [] } = report;
  const files = `${plural(report.files, 'file')}${environments.length > 1 ? `, environments ${environments.join(', ')}` : ''}`;
  if (parts.length === 0) return `${styles.green('No problems')} in ${files}.`;
  const last = parts.pop()!;
  return `${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`} in ${files}.`;
}
