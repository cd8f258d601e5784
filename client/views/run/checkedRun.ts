import * as vscode from 'vscode';
import type { LoadedAgent } from '../../../core/agent/load/loadAgent.js';
import { unlessRefused } from '../../../core/agent/load/refused.js';
import type { Agent } from '../../../core/agent/types.js';
import { identifyFile, pathOf, settingsPath } from '../../../core/config/paths.js';
import type { ProjectSettings } from '../../../core/config/projectSettings.js';
import { ConfigInvalidError, ConfigSyntaxError } from '../../../core/errors.js';
import type { PlacedFinding } from '../../../core/finding.js';
import type { Kind } from '../../../core/kinds.js';
import type { Project } from '../../../core/project/types.js';
import type { LoadedOrchestration } from '../../../core/team/loadOrchestration.js';
import type { Orchestration } from '../../../core/team/types.js';
import { openEditorProject } from '../../editorProject.js';
import type { RunChoice, TeamChoice } from '../../panels/run/types.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import type { RunArgument } from './runArgument.js';

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
 * @param again what has been chosen, to run it after unsaved files have been saved; or what does that
 * @throws Refusal when a file of the run has unsaved changes, or has errors, with a link to the first squiggle; UnknownAgentConfigError
 */
export async function checkedAgent(
  services: Services,
  { folder, agent_name, version, llm }: Omit<RunChoice, 'payload'>,
  again: Omit<RunArgument, 'uri'> | (() => unknown) = {},
): Promise<CheckedAgent> {
  const project = await openEditorProject(services, folder, 'disk');
  const index = await project.index();
  const path = pathOf('agent', `${agent_name}@${version}`, index.settings);
  const uri = folder.uriOf(path);
  const retry = typeof again === 'function' ? again : () => vscode.commands.executeCommand('agentStack.runAgent', { ...again, uri });
  const isPart = (kind: Kind) => kind !== 'agent' && kind !== 'payload' && kind !== 'orchestration';
  const loaded = await check({ folder, path, settings: index.settings, isPart, again: retry }, async () => {
    const value = unlessRefused(await project.load({ index, agent_name, version, overrides: overridesOf(llm) }));
    return { value, files: value.agent.resolved.files };
  });
  return { project, agent: loaded.agent, loaded, uri };
}

export interface CheckedOrchestration {
  readonly project: Project;
  readonly orchestration: Orchestration;
  /** What a run needs, so that the files are not read again. */
  readonly loaded: LoadedOrchestration;
}

/**
 * The orchestration as it will run, with the project on the disk.
 *
 * @param path project path of its file
 * @param again runs it after the files have been saved
 * @throws Refusal when a file of the run has unsaved changes, or has errors, with a link to the first squiggle
 */
export async function checkedOrchestration(
  services: Services,
  { folder, orchestration: name, llm }: Omit<TeamChoice, 'input'>,
  path: string,
  again: () => unknown,
): Promise<CheckedOrchestration> {
  const project = await openEditorProject(services, folder, 'disk');
  const index = await project.index();
  const isPart = (kind: Kind) => kind !== 'payload' && kind !== 'orchestration';
  const loaded = await check({ folder, path, settings: index.settings, isPart, again }, async () => {
    const value = unlessRefused(await project.loadOrchestration({ index, name, overrides: overridesOf(llm) }));
    return { value, files: [...value.orchestration.agents.values()].flatMap(({ resolved }) => resolved.files) };
  });
  return { project, orchestration: loaded.orchestration, loaded };
}

function overridesOf(llm: string | undefined): { readonly llm?: string } {
  return llm === undefined ? {} : { llm };
}

interface Target {
  readonly folder: ProjectFolder;
  /** Project path of its file. */
  readonly path: string;
  readonly settings: ProjectSettings;
  /** Whether it may be made of files of this kind. */
  readonly isPart: (kind: Kind) => boolean;
  readonly again: () => unknown;
}

async function check<Loaded>(
  { folder, path, settings, isPart, again }: Target,
  load: () => Promise<{ readonly value: Loaded; readonly files: Iterable<string> }>,
): Promise<Loaded> {
  try {
    const { value, files } = await load();
    const ofRun = new Set([settingsPath, path, ...files]);
    refuseUnsaved(folder, (unsaved) => ofRun.has(unsaved), again);
    return value;
  } catch (error) {
    if (!(error instanceof ConfigInvalidError || error instanceof ConfigSyntaxError)) throw error;
    // What is wrong on disk may already be right in an editor.
    const isOfRun = (unsaved: string) => {
      const kind = identifyFile(unsaved, settings)?.kind;
      return unsaved === path || (kind !== undefined && isPart(kind));
    };
    refuseUnsaved(folder, isOfRun, again);
    const [first] = error.findings;
    throw first === undefined ? error : cannotRun(folder, path, first, error.findings.length);
  }
}

/** The refusal of a file that has errors, with a link to the first of them. */
function cannotRun(folder: ProjectFolder, path: string, first: PlacedFinding, count: number): Refusal {
  const { file, line, column, end_line, end_column } = first;
  const place = `${file}:${line}:${column}`;
  const message =
    count === 1
      ? vscode.l10n.t('{0} cannot run: {1} ({2})', path, first.message, place)
      : vscode.l10n.t('{0} cannot run: {1} ({2}, and {3} more)', path, first.message, place, count - 1);
  const selection = new vscode.Range(line - 1, column - 1, end_line - 1, end_column - 1);
  return new Refusal(message, [
    { title: vscode.l10n.t('Show'), run: () => vscode.window.showTextDocument(folder.uriOf(file), { selection }) },
  ]);
}

/**
 * Refuses a run that has unsaved files: it reads the disk, so that it can be explained afterwards.
 *
 * @param isOfRun by project path
 * @param again runs it after the files have been saved
 * @throws Refusal naming the first of them
 */
export function refuseUnsaved(folder: ProjectFolder, isOfRun: (path: string) => boolean, again: () => unknown): void {
  const unsaved = vscode.workspace.textDocuments.filter((document) => {
    const path = document.isDirty ? folder.pathOf(document.uri) : undefined;
    return path !== undefined && isOfRun(path);
  });
  const [first] = unsaved;
  if (first === undefined) return;
  const path = folder.pathOf(first.uri) ?? '';
  const message =
    unsaved.length === 1
      ? vscode.l10n.t('{0} has changes that are not saved. A run uses what is on the disk.', path)
      : vscode.l10n.t('{0} and {1} more have changes that are not saved. A run uses what is on the disk.', path, unsaved.length - 1);
  throw new Refusal(message, [
    {
      title: vscode.l10n.t('Save and Run'),
      run: async () => {
        for (const document of unsaved) if (!(await document.save())) return;
        await again();
      },
    },
    { title: vscode.l10n.t('Show'), run: () => vscode.window.showTextDocument(first) },
  ]);
}
