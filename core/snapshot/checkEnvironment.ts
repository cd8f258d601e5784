import type { ProjectIndex } from '../config/projectIndex.js';
import { didYouMean, firstNames, nearestNames } from '../names.js';
import { environmentId } from './collectFragments.js';
import type { LayerProblem } from './effective.js';

/** Reports an environment without a file, which would silently have no effect. The project's own environment needs no file. */
export function checkEnvironment(
  { environment_name, project }: { readonly environment_name?: string; readonly project: ProjectIndex },
  report: (problem: LayerProblem) => void,
): void {
  if (environment_name === undefined || hasEnvironment(project, environment_name)) return;
  report({ code: 'unknown-environment', message: unknownEnvironment(environment_name, project), file: null, pointer: '/environment_name' });
}

/** Whether an environment has a file, valid or not; the project's own environment needs no file. */
export function hasEnvironment(project: ProjectIndex, name: string): boolean {
  return name === project.settings.environment || hasEnvironmentFile(project, name);
}

export function hasEnvironmentFile(project: Pick<ProjectIndex, 'ids'>, name: string): boolean {
  return project.ids('system').has(environmentId(name));
}

/** The environments that have a file. */
export function environmentNames(project: Pick<ProjectIndex, 'ids'>): readonly string[] {
  const prefix = 'environments/';
  const ids = [...project.ids('system').keys()].filter((id) => id !== 'system');
  return ids.map((id) => (id.startsWith(prefix) ? id.slice(prefix.length) : id));
}

/** The message that an environment does not exist, and which ones do. */
export function unknownEnvironment(name: string, project: ProjectIndex): string {
  const names = environmentNames(project);
  const nearest = nearestNames(name, names);
  const environments = names.length === 0 ? ' The project has none.' : ` There ${names.length === 1 ? 'is' : 'are'}: ${firstNames(names)}.`;
  return `There is no environment ${JSON.stringify(name)}: environments/${name}.json does not exist.${nearest.length > 0 ? didYouMean(nearest) : ''}${environments}`;
}
