import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { EvalReport } from '../../core/generated/types.js';
import { validateEvalReport } from './validateRun.js';

/** The report of an eval as JSON, which has to be as its schema says: all that is required, and no field more. */
export function readEvalReport(text: string): EvalReport {
  const report = JSON.parse(text) as EvalReport;
  expect(validateEvalReport(report)).toEqual([]);
  return report;
}

/** Holds every report that the test leaves in this project to the schema, in whatever format it was printed. */
export function checkKeptReports(cwd: string): void {
  onTestFinished(() => {
    const evals = join(cwd, '.agentstack/evals');
    if (!existsSync(evals)) return;
    const kept = readdirSync(evals).map((id) => join(evals, id, 'report.json'));
    for (const path of kept.filter((path) => existsSync(path))) readEvalReport(readFileSync(path, 'utf8'));
  });
}
