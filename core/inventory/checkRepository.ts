import { checkEnvironments, type EnvironmentsReport } from '../check/checkEnvironments.js';
import type { CheckProjectOptions } from '../check/types.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import type { AnyFinding } from '../finding.js';
import type { Inventory } from '../otherTools/toolFiles.js';
import { checkInventory } from './checkInventory.js';
import { readInventory } from './readInventory.js';

export interface RepositoryReport extends Omit<EnvironmentsReport, 'findings'> {
  /** Sorted by file and place. */
  readonly findings: readonly AnyFinding[];
  readonly inventory: Inventory;
}

/** Checks the files of a project, and what other tools have in its folder and those below it. */
export async function checkRepository(options: CheckProjectOptions & { readonly index: LoadedIndex }): Promise<RepositoryReport> {
  const { files, index, paths } = options;
  const report = await checkEnvironments(options);
  const inventory = index.settings.other_tools ? await readInventory(files, [index.settings.config_dir]) : noInventory;
  const isWanted = (path: string) => paths === undefined || paths.some((wanted) => contains(wanted, path));
  const projectFiles = new Set(index.files().map(({ path }) => path));
  const toolFindings = checkInventory(inventory, index.settings.rules, isWanted);
  const countOf = (severity: string) => toolFindings.filter((finding) => finding.severity === severity).length;
  return {
    findings: [...report.findings, ...toolFindings].sort(byFile),
    environments: report.environments,
    files: report.files + inventory.files.filter(({ path }) => isWanted(path) && !projectFiles.has(path)).length,
    errors: report.errors + countOf('error'),
    warnings: report.warnings + countOf('warning'),
    unmatched: report.unmatched.filter((wanted) => !inventory.files.some(({ path }) => contains(wanted, path))),
    inventory,
  };
}

const noInventory: Inventory = { files: [], exists: () => undefined };

function contains(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Within a file, by place. */
function byFile(left: AnyFinding, right: AnyFinding): number {
  return left.file < right.file ? -1 : left.file > right.file ? 1 : left.range.start - right.range.start;
}
