import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunReference } from '../../panels/run/types.js';
import { ProjectFolder, type Projects } from '../../projects.js';
import type { Services } from '../../services.js';

/** The run that a command is called for: a node of the tree, a panel, a reference; without any, what is selected or shown. */
export function readReference({ projects, runs }: Services & WithRuns, argument: unknown): RunReference | undefined {
  if (isReference(argument)) return argument;
  if (isNamed(argument)) return referenceWithName(projects, argument);
  const panel =
    runs.panels.find((openPanel) => openPanel === argument) ??
    (argument === undefined ? runs.panels.find(({ isActive }) => isActive) : undefined);
  if (panel === undefined) return argument === undefined ? runs.selected()[0] : undefined;
  const { folder, transcript } = panel.run;
  return transcript.facts.run_id === null ? undefined : { folder, run_id: transcript.facts.run_id };
}

/** All runs that a command of the tree is called for: the selection, when the node that was clicked is part of it. */
export function readReferences(services: Services & WithRuns, argument: unknown, selection: unknown): readonly RunReference[] {
  const selected = Array.isArray(selection) ? selection.map((one) => readReference(services, one)).filter((one) => one !== undefined) : [];
  if (selected.length > 1) return selected;
  if (argument === undefined && services.runs.selected().length > 0) return services.runs.selected();
  const reference = readReference(services, argument);
  return reference === undefined ? [] : [reference];
}

/** A reference from outside of this extension: the path of a project and an id. */
function isNamed(value: unknown): value is { readonly root: string; readonly run_id: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'root' in value &&
    typeof value.root === 'string' &&
    'run_id' in value &&
    typeof value.run_id === 'string'
  );
}

function referenceWithName(
  projects: Projects,
  { root, run_id }: { readonly root: string; readonly run_id: string },
): RunReference | undefined {
  const folder = projects.of(vscode.Uri.file(join(root, 'agentstack.json')));
  return folder?.root === root ? { folder, run_id } : undefined;
}

function isReference(value: unknown): value is RunReference {
  return (
    typeof value === 'object' &&
    value !== null &&
    'folder' in value &&
    value.folder instanceof ProjectFolder &&
    'run_id' in value &&
    typeof value.run_id === 'string'
  );
}
