import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { projectFolders } from '../config/projectFolders.js';

/**
 * The project that `from` (a folder or a file) belongs to: the nearest folder upwards that holds `agentstack.json` or one of `projectFolders` in
 * its `config`, as an absolute path; undefined if there is none up to the root of the disk.
 */
export function findProject(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (isProject(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Whether a folder is a project itself. */
export function isProject(folder: string): boolean {
  if (kindOf(join(folder, 'agentstack.json')) === 'file') return true;
  const config = join(folder, 'config');
  return kindOf(config) === 'folder' && projectFolders.some((name) => kindOf(join(config, name)) === 'folder');
}

/** A path that cannot be examined (no permission, below a file) counts as missing. */
function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
