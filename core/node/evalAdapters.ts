import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { evalsFolder } from '../eval/runner/evalStore.js';
import type { EvalAdapters } from '../project/adapters.js';
import { errorCode, toFileProblem } from './fileErrors.js';
import { openGitBase } from './git.js';
import { createJournalFiles } from './journalFiles.js';
import { createRunLocks } from './runLocks.js';

/** @param root absolute path of the project @param cwd what paths of baselines are relative to */
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
  };
}
