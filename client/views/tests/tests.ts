import type * as vscode from 'vscode';
import type { LastEvals } from '../../panels/evals/lastEvals.js';
import type { CaseTree } from './caseTree.js';
import type { OpenEvals, RunMode } from './types.js';

/** The cases to run, as selected in the Test Explorer. */
export interface TestsRequest {
  readonly tree: CaseTree;
  readonly controller: vscode.TestController;
  readonly request: vscode.TestRunRequest;
  readonly token: vscode.CancellationToken;
  readonly mode: RunMode;
}

/** The Test Explorer of the window and what its evals said. Filled when each is needed first; without trust there is no explorer. */
export interface Tests {
  controller?: vscode.TestController | undefined;
  loadTree?: (() => Promise<CaseTree>) | undefined;
  /** Ids of the items whose last answer can be accepted as expected, by `testId` in menus. */
  acceptable?: Set<string>;
  /** See `lastEvalsOf`. */
  lastEvals?: LastEvals;
  /** The page of evals, while it is open. */
  panel?: OpenEvals | undefined;
}

export interface WithTests {
  readonly tests: Tests;
}
