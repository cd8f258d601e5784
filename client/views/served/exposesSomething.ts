import { loadProjectIndex } from '../../../core/config/loadProjectIndex.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { FileProblem } from '../../../core/ports.js';
import { saysExpose } from '../../../core/serve/exposed.js';
import type { ProjectFolder } from '../../projects.js';

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
