import { loadProjectIndex } from '../config/loadProjectIndex.js';
import type { PlacedFinding } from '../finding.js';
import { environmentNames } from '../snapshot/checkEnvironment.js';
import { byPlace, checkProject } from './checkProject.js';
import type { CheckProjectOptions, CheckReport } from './types.js';

export interface EnvironmentsReport extends CheckReport {
  /** The environments that were judged, the project's own first. */
  readonly environments: readonly string[];
}

/**
 * `checkProject` in each environment, unless one is named: what production will run has another model and other limits than what runs on a desk. A
 * finding that the project's own environment does not have says which ones do.
 */
export async function checkEnvironments(options: CheckProjectOptions): Promise<EnvironmentsReport> {
  const index = options.index ?? (await loadProjectIndex(options.files));
  const { settings } = index;
  const first = await checkProject({ ...options, index });
  if (options.environment !== undefined) return { ...first, environments: [options.environment] };
  const others = environmentNames(index).filter((name) => name !== settings.environment);
  const known = new Set(first.findings.map((finding) => keyOf(finding, settings.environment)));
  const more = new Map<string, { readonly finding: PlacedFinding; readonly names: string[] }>();
  for (const environment of others) {
    // What is compared with a commit is the file as it is written, which is the same in all of them.
    const { findings } = await checkProject({ ...options, index, environment, base: undefined, onIndex: undefined });
    for (const finding of findings) {
      const key = keyOf(finding, environment);
      if (known.has(key)) continue;
      const entry = more.get(key) ?? { finding, names: [] };
      entry.names.push(environment);
      more.set(key, entry);
    }
  }
  index.settings = settings;
  const added = [...more.values()].map(({ finding, names }): PlacedFinding => {
    const where = `${names.length === 1 ? 'environment' : 'environments'} ${names.join(', ')}`;
    return { ...finding, message: `${finding.message} (${where})` };
  });
  const findings = [...first.findings, ...added].sort(byPlace);
  const countOf = (severity: PlacedFinding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  return { ...first, findings, errors: countOf('error'), warnings: countOf('warning'), environments: [settings.environment, ...others] };
}

/** The same for findings that differ only in the name of the environment that they looked in. */
function keyOf({ file, pointer, code, message, range: { start } }: PlacedFinding, environment: string): string {
  return JSON.stringify([file, pointer, code, message.replaceAll(`environment ${environment} `, 'environment '), start]);
}
