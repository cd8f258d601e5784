import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * The project that `from` (a folder or a file) belongs to: the nearest folder upwards that holds `agentstack.json` or `config/agents/`, as an
 * absolute path; undefined when there is none up to the root of the disk.
 */
export function findProject(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (kindOf(join(folder, 'agentstack.json')) === 'file' || kindOf(join(folder, 'config', 'agents')) === 'folder') return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** What cannot be looked at (no permission, below a file) counts as not there. */
function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
