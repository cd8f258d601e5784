import { expect } from 'vitest';
import { checkProject as check } from '../../core/check/checkProject.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import type { PlacedFinding } from '../../core/finding.js';
import { fixtureTools } from './fixtureTools.js';
import { memoryFiles } from './memoryFiles.js';
import { serverFindings } from './serverFindings.js';
import { testDay } from './testDay.js';

export interface TestProject {
  /** Project paths to texts. */
  readonly files: ReadonlyMap<string, string>;
  /** The same at the git base; empty for no base. */
  readonly base: ReadonlyMap<string, string>;
  /** Names of the environment variables that are set. */
  readonly variables: readonly string[];
}

/**
 * Everything `check` finds in a project of these files, placed, with related places placed too. The language server must find the same, to the
 * last word and place, in every project that a test of the rules comes with.
 */
export async function checkProject(project: TestProject): Promise<readonly PlacedFinding[]> {
  const { files, base, variables } = project;
  const memory = memoryFiles(files);
  const { findings } = await check({
    files: memory,
    index: await loadProjectIndex(memory, { registered: fixtureTools(Object.fromEntries(files)) }),
    asOf: testDay,
    variables: { get: (name) => (variables.includes(name) ? 'set' : undefined) },
    base: base.size === 0 ? undefined : { readText: (path) => base.get(path) },
  });
  expect(inOneOrder(await serverFindings(project)), 'what the language server finds').toEqual(inOneOrder(findings));
  return findings;
}

/** An editor sorts what it is told as it likes. */
function inOneOrder(findings: readonly PlacedFinding[]): readonly string[] {
  return findings.map((finding) => JSON.stringify(finding)).sort();
}
