import * as vscode from 'vscode';
import { unlessRefused } from '../../../core/agent/load/refused.js';
import { AgentStackError } from '../../../core/errors.js';
import { isObject } from '../../../core/json.js';
import { openEditorProject } from '../../editorProject.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import type { RestorePanel } from '../../panels/restorePanels.js';
import { RunPanel } from '../../panels/run/runPanel.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunReference, ShownRun } from '../../panels/run/types.js';
import type { Services } from '../../services.js';
import { showRun } from '../run/showRun.js';
import { pickRun } from './pickRun.js';
import { readReference } from './reference.js';
import { readStoredRun } from './storedRun.js';

/** Shows a run of the history in a panel; one that is in progress or shown already, in the panel it has. */
export async function openRun(services: Services & WithRuns & WithGraphs, argument?: unknown): Promise<void> {
  const question = {
    title: vscode.l10n.t('Open Run'),
    placeholder: vscode.l10n.t('Which run?'),
    isOffered: () => true,
  };
  const reference = (argument === undefined ? undefined : readReference(services, argument)) ?? (await pickRun(services, question));
  if (reference === undefined) return;
  // In the tree, arrows and Delete keep working.
  const keepsFocus = typeof argument === 'object' && argument !== null && 'summary' in argument;
  const panel = services.runs.findPanel(reference);
  if (panel !== undefined) {
    panel.reveal(keepsFocus);
    return;
  }
  const { folder, run_id } = reference;
  const run = services.runs.findLive({ folder, run_id }) ?? (await readContinuable(services, reference));
  showRun(services, run, { isNew: false, keepsFocus });
}

async function readContinuable(services: Services & WithRuns, reference: RunReference): Promise<ShownRun> {
  const run = await readStoredRun(reference, services.runs.isPinned(reference));
  await checkContinuable(services, run);
  return run;
}

/** Shows a run as the history has it. Only projects of this workspace are read. */
export const restoreRun: RestorePanel = async (client, panel, state) => {
  if (!isObject(state) || typeof state.run_id !== 'string') return false;
  const folder = (await client.projects.list()).find(({ root }) => root === state.root);
  if (folder === undefined) return false;
  new RunPanel(client, panel, await readContinuable(client, { folder, run_id: state.run_id }));
  return true;
};

/** Withdraws the offer to continue where it would be refused: the workspace is not trusted, or today's agent is gone or keeps no conversation. */
async function checkContinuable(services: Services, { folder, transcript }: ShownRun): Promise<void> {
  const { canContinue, agent: agent_name, version } = transcript.facts;
  if (!canContinue) return;
  transcript.set({ canContinue: vscode.workspace.isTrusted && (await keepsConversation()) });

  async function keepsConversation(): Promise<boolean> {
    try {
      const project = await openEditorProject(services, folder, 'disk');
      const { agent } = unlessRefused(await project.load({ agent_name, version }));
      return agent.resolved.config.include_history === true;
    } catch (error) {
      if (!(error instanceof AgentStackError)) throw error;
      return false;
    }
  }
}
