import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { settingsPath } from '../config/paths.js';
import { evalsFolder } from '../eval/runner/evalStore.js';
import type { ConfigChanges, EvalAdapters } from '../project/adapters.js';
import { errorCode, toFileProblem } from './fileErrors.js';
import { openGitBase } from './git.js';
import { createJournalFiles } from './journalFiles.js';
import { createRunLocks } from './runLocks.js';

/** @param root absolute path of the project @param cwd the folder that paths of baselines are relative to */
export function createEvalAdapters(root: string, cwd: string): EvalAdapters {
  return {
    storage: createJournalFiles(root),
    locks: createRunLocks(root, evalsFolder),
    baselines: {
      kindOf(path) {
        const stats = statSync(resolve(cwd, path), { throwIfNoEntry: false });
        return stats === undefined ? undefined : stats.isDirectory() ? 'folder' : 'file';
      },
      async readText(path) {
        try {
          return await readFile(resolve(cwd, path), 'utf8');
        } catch (error) {
          if (errorCode(error) === 'ENOENT') return undefined;
          throw errorCode(error) === undefined ? error : toFileProblem(error, path, 'read');
        }
      },
      openCommit: (ref) => openGitBase(root, ref),
    },
    systemPath: (path) => join(root, path),
  };
}

/** Milliseconds between two checks of the files while someone listens for changes. */
const lookEvery = 1000;

/** Changes of the config files of the project in `root`, an absolute path. */
export function createConfigChanges(root: string): ConfigChanges {
  return {
    fingerprint: (configFolder) => fingerprint(root, configFolder),
    poll(look) {
      const timer = setInterval(look, lookEvery).unref();
      return () => clearInterval(timer);
    },
  };
}

/**
 * A text that differs after any change of the project's config files: names, inodes, sizes and times of everything below the config folder, and of
 * agentstack.json. For anything missing or unreadable (a folder without permission, a link that leads to itself), it holds the error's code.
 */
function fingerprint(root: string, configFolder: string): string {
  const folder = join(root, configFolder);
  const parts = [stateOf(join(root, settingsPath))];
  for (const path of filesIn(folder)) parts.push(`${path} ${stateOf(join(folder, path))}`);
  return parts.join('\n');
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch (error) {
    return [codeOf(error)];
  }
}

function stateOf(path: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'error';
}
