import type { Uri } from 'vscode';
import type { WithPreviews } from '../../panels/preview/previewLoader.js';
import type { Services } from '../../services.js';

export interface Environments {
  /** By name, those that a file of the project describes. */
  readonly names: readonly string[];
  /** What applies when none is chosen for a document. */
  readonly current: string;
}

/** The environments of the project a file is in. */
export async function environmentsOf(services: Services & WithPreviews, file: Uri): Promise<Environments> {
  const { previews } = await services.previews.load();
  const project = previews.projectOf(file);
  if (project === undefined) return { names: [], current: '' };
  const index = await project.index();
  const current = project.environment ?? index.settings.environment;
  // system.json is not an environment; one called so has a longer id.
  const names = [...index.ids('system').keys()].flatMap((id) => (id === 'system' ? [] : [id.replace(/^environments\//, '')]));
  return { names: [...new Set([...names, current])].sort(), current };
}
