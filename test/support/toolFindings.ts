import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import type { AnyFinding } from '../../core/finding.js';
import { checkRepository } from '../../core/inventory/checkRepository.js';
import { memoryFiles } from './memoryFiles.js';

/** What `check` finds in a folder of files of other tools. */
export async function findingsIn(texts: Readonly<Record<string, string>>): Promise<readonly AnyFinding[]> {
  const files = memoryFiles(texts);
  const index = await loadProjectIndex(files, { bare: true });
  return (await checkRepository({ files, index, variables: { get: () => undefined } })).findings;
}
