import type * as vscode from 'vscode';
import type { KeptRun } from '../../../core/eval/runner/evalStore.js';
import type { PlannedCase } from '../../../core/eval/runner/plan.js';
import type { CaseReport } from '../../../core/generated/types.js';
import type { ProjectFolder } from '../../projects.js';

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

/** The cases of an eval. */
export interface CaseItem {
  readonly item: vscode.TestItem;
  readonly place: CasePlace;
}

/** `compare`: with the baselines of the project, asking only what changed. */
export type RunMode = 'run' | 'replay' | 'coverage' | 'compare';

export interface EvalOf {
  readonly folder: ProjectFolder;
  readonly run: vscode.TestRun;
  readonly cases: readonly CaseItem[];
  readonly token: vscode.CancellationToken;
  /** Folder of recordings that answer. */
  readonly replay: string | undefined;
  readonly mode: RunMode;
  /** The user has agreed to what it may cost. */
  readonly isAgreed: boolean;
  readonly onCase?: (planned: PlannedCase, report: CaseReport, runs: readonly KeptRun[]) => void;
}

/** The page of evals, while it is open. */
export interface OpenEvals {
  /** Shows another eval, of this or another project. */
  show(folder: ProjectFolder, id: string, isNewest: boolean): Promise<void>;
}
