import type { PlacedFinding } from '../../core/finding.js';
import { checkProject as check } from '../../core/rules/checkProject.js';
import { memoryFiles } from './memoryFiles.js';

export interface TestProject {
  /** Project paths to texts. */
  readonly files: ReadonlyMap<string, string>;
  /** The same at the git base; empty for no base. */
  readonly base: ReadonlyMap<string, string>;
  /** Names of the environment variables that are set. */
  readonly variables: readonly string[];
}

/** Everything the engine finds in a project of these files, placed, with related places placed too. */
export async function checkProject({ files, base, variables }: TestProject): Promise<readonly PlacedFinding[]> {
  const report = await check({
    files: memoryFiles(files),
    variables: { get: (name) => (variables.includes(name) ? 'set' : undefined) },
    base: base.size === 0 ? undefined : { readText: (path) => base.get(path) },
  });
  return report.findings;
}
