import * as vscode from 'vscode';
import type { LoadedAgent } from '../../../core/agent/load/loadAgent.js';
import { unlessRefused } from '../../../core/agent/load/refused.js';
import type { Agent } from '../../../core/agent/types.js';
import { identifyFile, pathOf, settingsPath } from '../../../core/config/paths.js';
import { ConfigInvalidError, ConfigSyntaxError } from '../../../core/errors.js';
import type { PlacedFinding } from '../../../core/finding.js';
import type { Project } from '../../../core/project/types.js';
import { openEditorProject } from '../../editorProject.js';
import type { RunChoice } from '../../panels/run/types.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import type { RunArgument } from './runArgument.js';
import { refuseUnsaved } from './unsaved.js';

export interface CheckedAgent {
  readonly project: Project;
  readonly agent: Agent;
  /** What a run needs, so that the files are not read again. */
  readonly loaded: LoadedAgent;
  /** The agent's file. */
  readonly uri: vscode.Uri;
}

/**
 * The agent as it will run, with the project on the disk.
 *
 * @param again what is chosen already, for the run after unsaved files have been saved
 * @throws Refusal when a file of the run has unsaved changes, or has errors, with a link to the first squiggle; UnknownAgentConfigError
 */
export async function checkedAgent(
  services: Services,
  { folder, agent_name, version, llm }: Omit<RunChoice, 'payload'>,
  again: Omit<RunArgument, 'uri'> = {},
): Promise<CheckedAgent> {
  const project = await openEditorProject(services, folder, 'disk');
  const index = await project.index();
  const { settings } = index;
  const path = pathOf('agent', `${agent_name}@${version}`, settings);
  const uri = folder.uriOf(path);
  const retry = () => vscode.commands.executeCommand('agentStack.runAgent', { ...again, uri });
  try {
    const overrides = llm === undefined ? {} : { llm };
    const loaded = unlessRefused(await project.load({ index, agent_name, version, overrides }));
    const { agent } = loaded;
    const files = new Set([settingsPath, ...agent.resolved.files]);
    refuseUnsaved(folder, (unsavedPath) => files.has(unsavedPath), retry);
    return { project, agent, loaded, uri };
  } catch (error) {
    if (!(error instanceof ConfigInvalidError || error instanceof ConfigSyntaxError)) throw error;
    // What is wrong on disk may be right in an editor already.
    refuseUnsaved(folder, (unsavedPath) => unsavedPath === path || isBelowAgents(identifyFile(unsavedPath, settings)?.kind), retry);
    const [first] = error.findings;
    throw first === undefined ? error : cannotRun(folder, path, first, error.findings.length);
  }
}

/** Kinds of file that agents are made of. */
function isBelowAgents(kind: string | undefined): boolean {
  return kind !== undefined && kind !== 'agent' && kind !== 'payload' && kind !== 'orchestration';
}

/** That a file has errors, with a link to the first of them. */
export function cannotRun(folder: ProjectFolder, path: string, first: PlacedFinding, count: number): Refusal {
  const place = `${first.file}:${first.line}:${first.column}`;
  const message =
    count === 1
      ? vscode.l10n.t('{0} cannot run: {1} ({2})', path, first.message, place)
      : vscode.l10n.t('{0} cannot run: {1} ({2}, and {3} more)', path, first.message, place, count - 1);
  return new Refusal(message, [
    {
      title: vscode.l10n.t('Show'),
      run: async () => {
        const { line, column, end_line, end_column } = first;
        const selection = new vscode.Range(line - 1, column - 1, end_line - 1, end_column - 1);
        await vscode.window.showTextDocument(folder.uriOf(first.file), { selection });
      },
    },
  ]);
}
