import { loadProjectIndex } from '../../../core/config/loadProjectIndex.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { FileProblem } from '../../../core/ports.js';
import { secretVariable } from '../../../core/secrets/secretVariable.js';
import { saysExpose } from '../../../core/serve/exposed.js';
import { storageKey } from '../../ports/storedKeys.js';
import { projectKeys } from '../../ports/workspaceKeys.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';

/** The stored keys that a project names, and no others, as the variables in which a command looks for them. */
export async function keysForProcess({ extension }: Services, folder: ProjectFolder): Promise<Readonly<Record<string, string>>> {
  const values: Record<string, string> = {};
  for (const { kind, name } of await projectKeys(folder)) {
    const key = await extension.secrets.get(storageKey(name));
    if (key !== undefined) values[kind === 'variable' ? name : secretVariable(name)] = key;
  }
  return values;
}

/** Whether any agent or orchestration of a project says `"expose": true`. Stops at the first. */
export async function exposesSomething({ root }: ProjectFolder): Promise<boolean> {
  const files = createNodeFiles(root);
  const index = await loadProjectIndex(files);
  for (const path of [...index.ids('orchestration').values(), ...index.ids('agent').values()]) {
    try {
      if (saysExpose(await files.readText(path))) return true;
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
    }
  }
  return false;
}
