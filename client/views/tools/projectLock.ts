import { loadProjectIndex } from '../../../core/config/loadProjectIndex.js';
import type { McpLock } from '../../../core/generated/types.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import type { FileSystem } from '../../../core/ports.js';
import { lockPath, readLock } from '../../../core/tools/mcp/lockFile.js';
import type { ProjectFolder } from '../../projects.js';

/** The lock of a project on disk, and its path. @throws ConfigInvalidError for a file that is not a lock */
export async function readProjectLock({
  root,
}: Pick<ProjectFolder, 'root'>): Promise<{ readonly lock: McpLock; readonly path: string; readonly files: FileSystem }> {
  const files = createNodeFiles(root);
  const { settings } = await loadProjectIndex(files, { agents: [] });
  const path = lockPath(settings.config_dir);
  return { lock: await readLock(files, path), path, files };
}
