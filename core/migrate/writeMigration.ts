import { FileProblem, type FileSystem } from '../ports.js';
import type { FileChange } from './editPlaces.js';

/**
 * Writes all files or none: what was written is taken back where a later file cannot be. New versions come last, since they count as soon as they
 * exist.
 *
 * @throws FileProblem; `exists` for a file that has changed since it was read
 */
export async function writeMigration(files: FileSystem, changes: readonly FileChange[]): Promise<void> {
  const ordered = [...changes].sort((left, right) => Number(left.action === 'create') - Number(right.action === 'create'));
  for (const { file, source, before, action } of ordered) {
    if ((await files.readText(source)) !== before)
      throw new FileProblem('exists', source, `${source} has changed since it was read, so nothing was written. Run the command again.`);
    if (action === 'create') continue;
    // Fails for a file that may not be written: replacing it would need no permission of its own.
    await files.appendText(file, '');
  }
  const written: FileChange[] = [];
  try {
    for (const change of ordered) {
      await files.writeText(change.file, change.after, { exclusive: change.action === 'create' });
      written.push(change);
    }
  } catch (error) {
    for (const { file, before, action } of written.toReversed()) {
      if (action === 'change') await files.writeText(file, before);
      else await files.remove?.(file);
    }
    throw error;
  }
}
