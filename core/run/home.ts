import { StorageError } from '../errors.js';
import { FileProblem, type FileSystem } from '../ports.js';

/** Where runs and sessions are kept, as a project path. */
export const home = '.agentstack';

/** Adds a `.gitignore` to the folder of kept runs, which are no sources, unless it already has one. @throws StorageError */
export async function ignoreHome(files: Pick<FileSystem, 'readText' | 'writeText'>): Promise<void> {
  const path = `${home}/.gitignore`;
  try {
    await files.readText(path);
    return;
  } catch (error) {
    if (!(error instanceof FileProblem) || error.reason !== 'not-found') return;
  }
  try {
    await files.writeText(path, '*\n', { exclusive: true });
  } catch (error) {
    // Another run wrote it first.
    if (error instanceof FileProblem && error.reason === 'exists') return;
    throw toStorageError(error, path, 'The run could not be kept');
  }
}

const remedies: { readonly [reason in FileProblem['reason']]?: string } = {
  'disk-full': 'Free some space on the disk',
  'no-permission': 'Give yourself write permission there',
  exists: 'Something else was written under the name of this run; remove that folder',
  'outside-project': 'Replace the link with a folder inside the project',
  'is-directory': 'Remove the folder that is in its place',
};

/**
 * @param what beginning of the sentence, such as `The run could not be kept`
 * @param eval_id of an eval that has made calls
 */
export function toStorageError(error: unknown, path: string, what: string, eval_id?: string): unknown {
  if (!(error instanceof FileProblem)) return error;
  const remedy = remedies[error.reason] ?? 'Check the disk';
  const again = eval_id === undefined ? 'run again' : `go on with \`agent-stack eval resume ${eval_id}\`, which asks nothing twice`;
  return new StorageError(
    `${what}: ${path} was not written (${error.reason}). ${remedy} and ${again}. What was written before is still there.`,
    {
      cause: error,
      eval_id,
    },
  );
}
