import * as vscode from 'vscode';
import { identifyFile, settingsPath } from '../../../core/config/paths.js';
import { ConfigInvalidError, ConfigSyntaxError } from '../../../core/errors.js';
import type { Project } from '../../../core/node/openProject.js';
import type { Orchestration } from '../../../core/team/types.js';
import { openEditorProject } from '../../editorProject.js';
import type { Services } from '../../services.js';
import { cannotRun } from './checkedAgent.js';
import type { TeamChoice } from './types.js';
import { refuseUnsaved } from './unsaved.js';

export interface CheckedOrchestration {
  readonly project: Project;
  readonly orchestration: Orchestration;
}

/**
 * The orchestration as it will run, with the project on the disk.
 *
 * @param path project path of its file
 * @param again runs it, when files have been saved
 * @throws Refusal when a file of the run has changes that are not saved, or has errors, with a way to the first squiggle
 */
export async function checkedOrchestration(
  services: Services,
  { folder, orchestration: name, llm }: Omit<TeamChoice, 'input'>,
  path: string,
  again: () => unknown,
): Promise<CheckedOrchestration> {
  const [project, { createOrchestrationFactory }] = await Promise.all([
    openEditorProject(services, folder, 'disk'),
    import('../../../core/team/orchestrationFactory.js'),
  ]);
  const environment = vscode.workspace.getConfiguration('agentStack', folder.uri).get<string>('environment', '');
  const factory = createOrchestrationFactory({ ports: project.ports, ...(environment !== '' && { environment_name: environment }) });
  const { settings } = await project.index();
  try {
    const orchestration = await factory.load(name, llm === undefined ? {} : { llm });
    const files = new Set([settingsPath, path, ...[...orchestration.agents.values()].flatMap(({ resolved }) => resolved.files)]);
    refuseUnsaved(folder, (one) => files.has(one), again);
    return { project, orchestration };
  } catch (error) {
    if (!(error instanceof ConfigInvalidError || error instanceof ConfigSyntaxError)) throw error;
    // What is wrong on the disk may be right in an editor already.
    refuseUnsaved(folder, (one) => one === path || isPart(identifyFile(one, settings)?.kind), again);
    const [first] = error.findings;
    throw first === undefined ? error : cannotRun(folder, path, first, error.findings.length);
  }
}

/** Kinds of file that orchestrations are made of. */
function isPart(kind: string | undefined): boolean {
  return kind !== undefined && kind !== 'payload' && kind !== 'orchestration';
}
