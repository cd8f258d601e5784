import * as vscode from 'vscode';
import type { Coverable } from '../../../core/eval/coverage/agentCoverage.js';
import { locate } from '../../../core/jsonText/locate.js';
import { FileProblem } from '../../../core/ports.js';
import { type CoveredCase, coverageOfCases } from '../../../core/project/coverage.js';
import type { EvalProject } from '../../../core/project/evalLoader.js';
import type { ProjectFolder } from '../../projects.js';

/** The places of each file that a test run reported, for when its gutter is shown. */
const details = new WeakMap<vscode.FileCoverage, vscode.StatementCoverage[]>();

export function detailsOf(file: vscode.FileCoverage): vscode.StatementCoverage[] {
  return details.get(file) ?? [];
}

/** Shows in the files of agents and orchestrations what their cases have reached: values of enums, tools, defaults and routes. */
export async function showCoverage(
  run: vscode.TestRun,
  folder: ProjectFolder,
  place: EvalProject,
  cases: readonly CoveredCase[],
): Promise<void> {
  const covered = await coverageOfCases(place, cases);
  const files = new Map<string, Coverable[]>();
  for (const coveredPart of covered) {
    const fileCoverage = files.get(coveredPart.file) ?? [];
    files.set(coveredPart.file, fileCoverage);
    fileCoverage.push(coveredPart);
  }
  for (const [file, own] of files) {
    const text = await readIfThere(place, file);
    if (text === undefined) continue;
    const document = await vscode.workspace.openTextDocument(folder.uriOf(file));
    const places = locate(text, new Set(own.map(({ pointer }) => pointer)));
    const statements = own.flatMap(({ pointer, hits }) => {
      const located = places.get(pointer);
      if (located === undefined) return [];
      const start = document.positionAt(located.key?.start ?? located.value.start);
      // A rule is marked where it starts, since its lines contain other things too.
      const end = document.positionAt(located.value.end);
      const range = new vscode.Range(start, end.line === start.line ? end : document.lineAt(start.line).range.end);
      return [new vscode.StatementCoverage(hits, range)];
    });
    const coverage = vscode.FileCoverage.fromDetails(document.uri, statements);
    details.set(coverage, statements);
    run.addCoverage(coverage);
  }
}

async function readIfThere({ project }: EvalProject, file: string): Promise<string | undefined> {
  try {
    return await project.ports.files.readText(file);
  } catch (error) {
    // The file of a reported place may be gone.
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
}
