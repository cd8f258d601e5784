import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { readOpenRun } from '../../../core/run/openRun.js';
import { loadSchemaCompiler } from '../../../core/schema/schemaCompiler.js';
import { openEditorProject } from '../../editorProject.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunReference } from '../../panels/run/types.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { requireParts } from '../run/requireParts.js';
import { planResumedAgentRun, planResumedTeamRun } from '../run/runPlans.js';
import { follow } from '../run/startRun.js';
import { pickRun } from './pickRun.js';
import { findHolder, readReference } from './reference.js';
import { choiceOf, teamChoiceOf } from './runAgain.js';

/**
 * Resumes an interrupted run from where its journal ends, with the config it started with. Ends when the run
 * does.
 *
 * @returns undefined when the user cancelled
 * @throws Refusal, ResumeError if it cannot continue
 */
export async function resumeRun(services: Services & WithRuns & WithGraphs, argument?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  const reference =
    readReference(services, argument) ??
    (await pickRun(services, {
      title: vscode.l10n.t('Resume Run'),
      placeholder: vscode.l10n.t('Which run?'),
      isOffered: ({ summary, isLive }) => !isLive && summary.can_resume,
      none: new Refusal(vscode.l10n.t('No run whose steps are kept was interrupted or cancelled: there is nothing to resume.'), [
        {
          title: vscode.l10n.t('Keep Steps of Runs...'),
          run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'agentStack.runs.durable'),
        },
      ]),
    }));
  if (reference === undefined) return undefined;
  if (services.runs.findLive(reference) !== undefined) throw new Refusal(vscode.l10n.t('This run is in progress.'));
  const { folder, run_id } = reference;
  const project = await openEditorProject(services, folder, 'disk');
  const open = await readOpenRun(project.ports.files, run_id, project.ports.sha256);
  const { agentsOfSnapshot } = await import('../../../core/agent/load/agentsOfSnapshot.js');
  const agents = agentsOfSnapshot(open.snapshot, { schemas: await loadSchemaCompiler() });
  await requireParts(services, folder, project, [...agents.values()]);
  // A second request, or another window, may have locked the run already: then no panel is opened.
  requireFree(services, reference);
  const team = await teamChoiceOf(reference);
  if (team !== undefined) return follow(services, planResumedTeamRun(project, open, agents, team));
  const agent = agents.get(open.snapshot.value.name);
  if (agent === undefined) throw new Error('The snapshot of an agent holds none of its name.');
  return follow(services, planResumedAgentRun(project, open, agent, await choiceOf(reference)));
}

/** @throws Refusal where the run is in progress, here or in another process; FileProblem where it cannot be stored */
function requireFree({ runs }: WithRuns, reference: RunReference): void {
  const { t } = vscode.l10n;
  if (runs.findLive(reference) !== undefined) throw new Refusal(t('This run is in progress.'));
  const holder = findHolder(reference);
  if (holder !== undefined && !holder.is_seen) {
    const message = t(
      'This run belongs to {0}, which cannot be seen from here. If it is certainly gone, free the run with `npx agent-stack runs unlock {1}` in a terminal and resume again.',
      holder.held_by,
      reference.run_id,
    );
    throw new Refusal(message);
  }
  if (holder !== undefined) throw new Refusal(t('This run is in progress in another window or a terminal ({0}).', holder.held_by));
}
