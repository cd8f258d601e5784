import { EventEmitter } from 'vscode';
import type { CaseReport, EvalReport } from '../../../core/generated/types.js';
import type { ProjectFolder } from '../../projects.js';

/** How many evals are searched for a case, newest first. */
const mostEvals = 10;

/** The one of the window, made when it is needed first. */
export function lastEvalsOf(tests: { lastEvals?: LastEvals }): LastEvals {
  tests.lastEvals ??= new LastEvals();
  return tests.lastEvals;
}

/** The last result of each case in the evals of this window and the stored ones. */
export class LastEvals {
  readonly #changed = new EventEmitter<ProjectFolder>();
  /** By project: the reports that were read, by id. */
  readonly #reports = new Map<string, Map<string, EvalReport | undefined>>();
  readonly onDidChange = this.#changed.event;

  add(folder: ProjectFolder, report: EvalReport): void {
    this.#of(folder).set(report.eval_id, report);
    this.#changed.fire(folder);
  }

  /** The case in the newest stored eval, with the agent's own profile where there are several. */
  async find(folder: ProjectFolder, file: string): Promise<ReadonlyMap<string, CaseReport>> {
    const [{ readKeptReport }, { listEvalIds }, { createNodeFiles }] = await Promise.all([
      import('../../../core/eval/runner/evalStore.js'),
      import('../../../core/eval/runner/evalStore.js'),
      import('../../../core/node/nodeFiles.js'),
    ]);
    const files = createNodeFiles(folder.root);
    const reports = this.#of(folder);
    const results = new Map<string, CaseReport>();
    for (const id of (await listEvalIds(files)).slice(0, mostEvals)) {
      if (!reports.has(id)) reports.set(id, await readKeptReport(files, id));
      for (const { cases } of reports.get(id)?.suites ?? [])
        for (const caseReport of cases)
          if (caseReport.file === file && !results.has(caseReport.name)) results.set(caseReport.name, caseReport);
    }
    return results;
  }

  #of({ root }: ProjectFolder): Map<string, EvalReport | undefined> {
    const rootReports = this.#reports.get(root) ?? new Map<string, EvalReport | undefined>();
    this.#reports.set(root, rootReports);
    return rootReports;
  }
}
