import type { AnyFinding } from '../../core/finding.js';

/** What a check found, ready to be printed in any format. */
export interface Report {
  /** By file, then by place. */
  readonly findings: readonly AnyFinding[];
  /** How many files were checked. */
  readonly files: number;
  /** The environments that were judged. */
  readonly environments?: readonly string[];
}

export function countOf(report: Pick<Report, 'findings'>, severity: 'error' | 'warning'): number {
  return report.findings.filter((finding) => finding.severity === severity).length;
}
