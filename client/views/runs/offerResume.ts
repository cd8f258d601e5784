import * as vscode from 'vscode';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { FileProblem } from '../../../core/ports.js';
import { listRunIds, readRunSummary } from '../../../core/run/readRuns.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunReference } from '../../panels/run/types.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { findHolder } from './reference.js';

/** How many of the newest runs are checked: one interrupted a hundred runs ago is not worth offering. */
const newest = 50;

/** Runs that the user chose not to resume. */
const declinedKey = 'agentStack.declinedResumes';

/** Offers to resume the last interrupted run, if there is one. Runs nothing by itself. */
export async function offerResume(services: Services & WithRuns): Promise<void> {
  const { memory } = services;
  const declined = memory.get<readonly string[]>(declinedKey, []);
  const folders = await projectFolders(services);
  services.log.debug(`Looking for interrupted runs in ${folders.length} projects`);
  for (const folder of folders) {
    const interrupted = await findInterrupted(services, { folder, declined });
    const [first] = interrupted;
    if (first === undefined) continue;
    const resume = vscode.l10n.t('Resume');
    const show = vscode.l10n.t('Show');
    const leave = vscode.l10n.t('Do Not Resume');
    const message =
      interrupted.length === 1
        ? vscode.l10n.t('A run of {0} was interrupted. Its finished steps are kept; it can be resumed from there.', first.name)
        : vscode.l10n.t('{0} runs were interrupted, the last of them of {1}. They can be resumed.', interrupted.length, first.name);
    const answer = await vscode.window.showInformationMessage(message, resume, show, leave);
    const { reference } = first;
    if (answer === resume) await vscode.commands.executeCommand('agentStack.resumeRun', reference);
    else if (answer === show) await vscode.commands.executeCommand('agentStack.openRun', reference);
    else if (answer === leave)
      await memory.update(declinedKey, [...interrupted.map((run) => run.reference.run_id), ...declined].slice(0, newest * 4));
    return;
  }
}

/** The projects of the workspace: the search of VS Code may not work yet when it starts, so its folders are read directly. */
async function projectFolders({ projects }: Services): Promise<readonly ProjectFolder[]> {
  const roots = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => projects.of(vscode.Uri.joinPath(uri, 'agentstack.json')));
  return [...new Set([...roots.filter((folder) => folder !== undefined), ...(await projects.list())])];
}

interface Interrupted {
  readonly reference: RunReference;
  readonly name: string;
}

async function findInterrupted(
  services: Services & WithRuns,
  { folder, declined }: Pick<RunReference, 'folder'> & { readonly declined: readonly string[] },
): Promise<readonly Interrupted[]> {
  const files = createNodeFiles(folder.root);
  const interrupted: Interrupted[] = [];
  for (const run_id of (await idsIn(files)).slice(0, newest)) {
    if (declined.includes(run_id) || services.runs.findLive({ folder, run_id }) !== undefined) continue;
    const { state, can_resume, name } = await readRunSummary(files, run_id);
    // A cancelled run is not offered.
    if (state !== 'open' || !can_resume || isHeld({ folder, run_id })) continue;
    interrupted.push({ reference: { folder, run_id }, name: name ?? run_id });
  }
  return interrupted;
}

async function idsIn(files: ReturnType<typeof createNodeFiles>): Promise<readonly string[]> {
  try {
    return await listRunIds(files);
  } catch (error) {
    // Nothing has run here, or the folder cannot be read.
    if (error instanceof FileProblem) return [];
    throw error;
  }
}

/** A run in a read-only folder cannot be resumed. */
function isHeld(reference: RunReference): boolean {
  try {
    return findHolder(reference) !== undefined;
  } catch (error) {
    if (error instanceof FileProblem) return true;
    throw error;
  }
}
