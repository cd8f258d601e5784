import { type FSWatcher, readdirSync, type WatchListener, watch } from 'node:fs';
import { join } from 'node:path';
import { skipped } from '../core/inventory/findToolFiles.js';
import { UsageError } from './cli.js';

/** Folders that hold no file of a project, and many others. */
const passedOver: ReadonlySet<string> = new Set([...skipped, '.git', '.agentstack']);

/**
 * Calls `onChange` for each change of a file below `root`, also of one that is replaced by a rename, as most editors, `sed -i` and `git checkout`
 * write.
 *
 * @param onChange is given the path relative to `root`; of a folder that came or went, its own
 * @returns ends it
 * @throws UsageError where the system watches no more folders
 */
export function watchFolders(root: string, onChange: (path: string) => void): () => void {
  if (process.platform !== 'linux') {
    const watcher = watch(root, { recursive: true }, (_event, path) => {
      if (path !== null && !path.split(/[\\/]/).some((name) => passedOver.has(name))) onChange(path);
    });
    return () => watcher.close();
  }
  // Node watches every file of a tree by itself there, and loses one with the first rename over it. A folder sees them all.
  const watchers = new Map<string, FSWatcher>();
  const close = (folder: string) => {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watchers.delete(path);
    }
  };
  const add = (folder: string) => {
    const names = foldersIn(join(root, folder));
    if (names === undefined) return;
    const watcher = watchFolder(join(root, folder), (event, name) => {
      if (name === null || passedOver.has(name)) return;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (event === 'rename') {
        // A folder of that name may be another one now.
        close(path);
        add(path);
      }
      onChange(path);
    });
    watcher.on('error', () => close(folder));
    watchers.set(folder, watcher);
    for (const name of names) add(folder === '' ? name : `${folder}/${name}`);
  };
  add('');
  return () => {
    for (const watcher of watchers.values()) watcher.close();
  };
}

/** Names of the folders in a folder; undefined for what is none, or is gone. */
function foldersIn(path: string): readonly string[] | undefined {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && !passedOver.has(entry.name)).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

function watchFolder(path: string, listener: WatchListener<string>): FSWatcher {
  try {
    return watch(path, listener);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new UsageError(
      'The system watches no more folders (fs.inotify.max_user_watches). Raise the limit, or run the command without --watch.',
    );
  }
}
