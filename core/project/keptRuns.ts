import type { FileSystem } from '../ports.js';
import { journalsFolder } from '../run/journal/journal.js';
import { isJournalId } from '../run/openRun.js';
import { listRunIds, readObject, readRunSummary, runsFolder } from '../run/readRuns.js';
import { isEnded } from '../run/runSummary.js';
import { ownAt } from '../run/untrusted.js';
import type { KeptFolders, KeptJournals } from './adapters.js';
import { createKeptStore, type KeptStore, type Standing } from './keptStore.js';

export interface RunsAdapters {
  readonly files: FileSystem;
  readonly folders: KeptFolders;
  readonly journals: KeptJournals;
}

export interface JournalSweep {
  readonly deleted: readonly string[];
  /** Why no journal was examined: an unreadable run may need any of them. */
  readonly problem: string | null;
}

export interface KeptRuns extends KeptStore {
  /** Deletes the journals that no run names and whose process has ended. @throws FileProblem */
  deleteJournals(): Promise<JournalSweep>;
}

/** The runs of a project, for deleting. */
export function createKeptRuns({ files, folders, journals }: RunsAdapters): KeptRuns {
  const kind = { command: 'runs', list: () => listRunIds(files), standing: (run_id: string) => standingOf(files, run_id) } as const;
  return {
    ...createKeptStore(kind, folders),

    async deleteJournals() {
      const needed = new Set<string>();
      for (const run_id of await listRunIds(files)) {
        const path = `${runsFolder}/${run_id}/run.json`;
        const run = await readObject(files, path);
        if ('problem' in run) return { deleted: [], problem: `${path}: ${run.problem}` };
        // Missing if the run ended before it wrote any.
        const journalIds = 'value' in run ? ownAt(run.value, 'journals') : undefined;
        if (Array.isArray(journalIds)) for (const id of journalIds) if (typeof id === 'string') needed.add(id);
      }
      const deleted: string[] = [];
      for (const { name, kind } of await files.list(journalsFolder)) {
        const id = name.replace(/\.jsonl$/, '');
        if (kind !== 'file' || id === name || !isJournalId(id) || needed.has(id) || !journals.isAbandoned(id)) continue;
        journals.delete(id);
        deleted.push(id);
      }
      return { deleted, problem: null };
    },
  };
}

async function standingOf(files: FileSystem, run_id: string): Promise<Standing> {
  const { state, can_resume, on_workers } = await readRunSummary(files, run_id);
  // A resumable run is locked while it runs.
  const isUnseen = !can_resume && !isEnded(state);
  if (can_resume || on_workers) return { unfinished: 'can still be resumed', isUnseen };
  return isEnded(state) ? {} : { unfinished: 'has no end', isUnseen };
}
