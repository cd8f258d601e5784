import type { Ports } from '../ports.js';
import type { RunKeeping } from '../run/durableRun.js';
import { createJournal } from '../run/journal/journal.js';
import { thisProcess } from './holders.js';
import { createJournalFiles } from './journalFiles.js';
import { createRunLocks } from './runLocks.js';

/** What runs of the project in `root` (an absolute path) are kept with, for this process. Writes nothing yet. */
export function createRunKeeping(
  root: string,
  { files, random, knownSecrets }: Pick<Ports, 'files' | 'random' | 'knownSecrets'>,
): RunKeeping {
  const storage = createJournalFiles(root);
  const writer = `agent-stack ${process.env.AGENT_STACK_VERSION ?? '0'}`;
  const journal = createJournal({ storage, files, random, writer, process: () => ({ ...thisProcess() }) });
  return { files, storage, locks: createRunLocks(root), journal, ...(knownSecrets && { knownSecrets }) };
}
