import type { PlacedFinding } from '../../core/finding.js';

export interface TestProject {
  /** Project paths to texts. */
  readonly files: ReadonlyMap<string, string>;
  /** The same at the git base. */
  readonly base: ReadonlyMap<string, string>;
  /** Names of the environment variables that are set. */
  readonly variables: readonly string[];
}

/** Everything the engine finds in a project of these files, placed, with related places placed too. */
export async function checkProject(_project: TestProject): Promise<readonly PlacedFinding[]> {
  throw new Error('The engine is not there yet');
}
