import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkProject } from '../../core/check/checkProject.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import type { PlacedFinding } from '../../core/finding.js';
import { planImport, writeImport } from '../../core/import/planImport.js';
import type { ImportPlan } from '../../core/import/types.js';
import type { JsonObject } from '../../core/json.js';
import { type MemoryFiles, memoryFiles } from '../support/memoryFiles.js';

/** A project with a profile, as `init` makes it. */
export const project: Readonly<Record<string, string>> = {
  'agentstack.json': '{}',
  'config/llms/offline.json': JSON.stringify({ llm_id: 'offline', provider: 'offline', model_name: 'offline' }),
};

export interface Imported {
  readonly plan: ImportPlan;
  readonly written: readonly string[];
  readonly files: MemoryFiles;
  /** What `check` finds in the whole project afterwards. */
  readonly findings: readonly PlacedFinding[];
  read(path: string): JsonObject;
}

export interface ImportOptions {
  readonly entry?: string;
  readonly from?: string;
  readonly name?: string;
  readonly into?: Readonly<Record<string, string>>;
}

/** Plans an import of these files, writes it, and checks the project. */
export async function importInto(sources: Readonly<Record<string, string>>, options: ImportOptions = {}): Promise<Imported> {
  const { entry = '', into = project, from, name } = options;
  const files = memoryFiles(into);
  const variables = { get: () => undefined };
  const plan = await planImport({
    files: memoryFiles(sources),
    entry,
    from,
    name,
    project: files,
    index: await loadProjectIndex(files),
    variables,
  });
  const written = plan.obstacles.length > 0 ? [] : await writeImport(files, plan);
  const { findings } = await checkProject({ files, variables });
  return { plan, written, files, findings, read: (path) => JSON.parse(files.texts.get(path) ?? 'null') };
}

const fixtures = join(import.meta.dirname, '../fixtures/import');

/** The files of a fixture, by path. */
export function fixture(name: string): Readonly<Record<string, string>> {
  const folder = join(fixtures, name);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')];
    }),
  );
}

export const fixtureNames: readonly string[] = readdirSync(fixtures).sort();
