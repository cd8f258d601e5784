import type * as vscode from 'vscode';
import type { ProjectFolder } from '../../projects.js';
import type { EvalsPanel } from '../evals/evalsPanel.js';
import type { CaseTree } from './caseTree.js';
import type { LastEvals } from './lastEvals.js';

/** A case in the Test Explorer. */
export interface CasePlace {
  readonly folder: ProjectFolder;
  /** The agent or orchestration. */
  readonly subject: string;
  /** Project path. */
  readonly file: string;
  /** As the eval calls it. */
  readonly name: string;
  /** Of the case in its file. */
  readonly pointer: string;
  /** Of the case, or of one of its expectations. */
  rangeOf(pointer: string): vscode.Range | undefined;
}

/** Cases that an eval is asked for. */
export interface CaseItem {
  readonly item: vscode.TestItem;
  readonly place: CasePlace;
}

/** `compare`: with the baselines of the project, asking only what changed. */
export type RunMode = 'run' | 'replay' | 'coverage' | 'compare';

/** What the Test Explorer was asked to run. */
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
  /** See `lastEvalsOf`. */
  lastEvals?: LastEvals;
  /** The page of evals, while it is open. */
  panel?: EvalsPanel | undefined;
}

export interface WithTests {
  readonly tests: Tests;
}
