import { unlessRefused } from '../../../core/agent/load/refused.js';
import { identifyFile, settingsPath } from '../../../core/config/paths.js';
import { ConfigInvalidError, ConfigSyntaxError } from '../../../core/errors.js';
import type { Project } from '../../../core/project/types.js';
import type { LoadedOrchestration } from '../../../core/team/loadOrchestration.js';
import type { Orchestration } from '../../../core/team/types.js';
import { openEditorProject } from '../../editorProject.js';
import type { TeamChoice } from '../../panels/run/types.js';
import type { Services } from '../../services.js';
import { cannotRun } from './checkedAgent.js';
import { refuseUnsaved } from './unsaved.js';

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
 * @param again runs it, when files have been saved
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
  const { settings } = index;
  try {
    const loaded = unlessRefused(await project.loadOrchestration({ index, name, overrides: llm === undefined ? {} : { llm } }));
    const { orchestration } = loaded;
    const files = new Set([settingsPath, path, ...[...orchestration.agents.values()].flatMap(({ resolved }) => resolved.files)]);
    refuseUnsaved(folder, (unsavedPath) => files.has(unsavedPath), again);
    return { project, orchestration, loaded };
  } catch (error) {
    if (!(error instanceof ConfigInvalidError || error instanceof ConfigSyntaxError)) throw error;
    // What is wrong on disk may be right in an editor already.
    refuseUnsaved(folder, (unsavedPath) => unsavedPath === path || isPart(identifyFile(unsavedPath, settings)?.kind), again);
    const [first] = error.findings;
    throw first === undefined ? error : cannotRun(folder, path, first, error.findings.length);
  }
}

/** Kinds of file that orchestrations are made of. */
function isPart(kind: string | undefined): boolean {
  return kind !== undefined && kind !== 'payload' && kind !== 'orchestration';
}
