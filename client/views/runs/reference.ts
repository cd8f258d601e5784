import { join } from 'node:path';
import * as vscode from 'vscode';
import { isObject } from '../../../core/json.js';
import { createRunLocks } from '../../../core/node/runLocks.js';
import type { HeldLock } from '../../../core/run/runLocks.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunReference } from '../../panels/run/types.js';
import { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';

/** The run that a command is called for: a node of the tree, a panel, a reference; without an argument, the selected or visible one. */
export function readReference({ projects, runs }: Services & WithRuns, argument: unknown): RunReference | undefined {
  const { folder, root, run_id }: Readonly<Record<string, unknown>> = isObject(argument) ? argument : {};
  if (typeof run_id === 'string' && folder instanceof ProjectFolder) return { folder, run_id };
  // A reference from outside of this extension: the path of a project and an id.
  if (typeof run_id === 'string' && typeof root === 'string') {
    const project = projects.of(vscode.Uri.file(join(root, 'agentstack.json')));
    return project?.root === root ? { folder: project, run_id } : undefined;
  }
  const panel = runs.panels.find((openPanel) => openPanel === argument || (argument === undefined && openPanel.isActive));
  if (panel === undefined) return argument === undefined ? runs.selected()[0] : undefined;
  const { transcript } = panel.run;
  return transcript.facts.run_id === null ? undefined : { folder: panel.run.folder, run_id: transcript.facts.run_id };
}

/** All runs that a command of the tree is called for: the selection, if the node that was clicked is part of it. */
export function readReferences(services: Services & WithRuns, argument: unknown, selection: unknown): readonly RunReference[] {
  const selected = Array.isArray(selection) ? selection.flatMap((node: unknown) => readReference(services, node) ?? []) : [];
  if (selected.length > 1) return selected;
  if (argument === undefined && services.runs.selected().length > 0) return services.runs.selected();
  const reference = readReference(services, argument);
  return reference === undefined ? [] : [reference];
}

/** The process that holds a run: another window, a terminal. Undefined for none. @throws FileProblem if the folder is not writable */
export function findHolder({ folder, run_id }: RunReference): HeldLock | undefined {
  const lock = createRunLocks(folder.root).acquire(run_id);
  if ('held_by' in lock) return lock;
  lock.release();
  return undefined;
}
