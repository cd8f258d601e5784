import { FileProblem, type FileProblemReason } from '../ports.js';

/** The failed action, as worded in the message: `cannot be read`. */
export type FileAction = 'read' | 'listed' | 'written';

interface Explanation {
  readonly reason: FileProblemReason;
  readonly words: string;
}

const explanations: Readonly<Record<string, Explanation>> = {
  ENOENT: { reason: 'not-found', words: 'it does not exist' },
  ENOTDIR: { reason: 'not-found', words: 'a part of its path is a file, not a folder' },
  EISDIR: { reason: 'is-directory', words: 'it is a folder. Rename or remove the folder' },
  EACCES: { reason: 'no-permission', words: 'no permission. Change its owner or mode' },
  EPERM: { reason: 'no-permission', words: 'the system does not permit it. Change its owner or mode' },
  EROFS: { reason: 'no-permission', words: 'the file system is read-only' },
  EEXIST: { reason: 'exists', words: 'it exists already, and existing files are kept' },
  ENOTEMPTY: { reason: 'is-directory', words: 'it is a folder. Rename or remove the folder' },
  ENOSPC: { reason: 'disk-full', words: 'the disk is full. Free some space and try again' },
  EDQUOT: { reason: 'disk-full', words: 'your disk quota is used up. Free some space and try again' },
  ELOOP: { reason: 'io', words: 'its links lead in a circle. Remove the link' },
  ENAMETOOLONG: { reason: 'io', words: 'its name is too long for this file system' },
  EMFILE: { reason: 'io', words: 'too many files are open. Raise the limit (ulimit -n)' },
  ENFILE: { reason: 'io', words: 'too many files are open on this machine' },
};

/** A failed file operation as a `FileProblem`; a `FileProblem` is returned unchanged. */
export function toFileProblem(error: unknown, path: string, action: FileAction): FileProblem {
  if (error instanceof FileProblem) return error;
  const code = errorCode(error);
  const explanation = code === undefined ? undefined : explanations[code];
  // Reading below a file means reading a missing file; writing or listing there means a mistake in the layout.
  if (code === 'ENOTDIR' && action !== 'read')
    return fileProblem('io', path, action, `${explanation?.words}. Rename or remove the file`, error);
  const words = explanation?.words ?? (error instanceof Error ? error.message : String(error));
  return fileProblem(explanation?.reason ?? 'io', path, action, words, error);
}

/** `{path} cannot be {action}: {words}.` */
export function fileProblem(reason: FileProblemReason, path: string, action: FileAction, words: string, cause?: unknown): FileProblem {
  const name = path === '' ? 'The project folder' : path;
  return new FileProblem(reason, path, `${name} cannot be ${action}: ${words}.`, cause === undefined ? undefined : { cause });
}

/** `ENOENT` and the like; undefined for an error that is not the system's. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
