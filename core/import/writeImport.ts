import type { FileSystem } from '../ports.js';
import { writeNewFiles } from '../scaffold/newFile.js';
import type { ImportPlan } from './types.js';

/**
 * Writes what a plan without obstacles holds: what others refer to first, the first agent last.
 *
 * @returns the paths of the files that were created or changed, the first agent first
 * @throws FileProblem, `exists` where a file has come in between
 */
export async function writeImport(files: Pick<FileSystem, 'writeText'>, plan: ImportPlan): Promise<readonly string[]> {
  for (const { path, text, action } of plan.files) if (action === 'change') await files.writeText(path, text);
  await writeNewFiles(
    files,
    plan.files.filter(({ action }) => action === 'create'),
  );
  return plan.files.filter(({ action }) => action !== 'same').map(({ path }) => path);
}
