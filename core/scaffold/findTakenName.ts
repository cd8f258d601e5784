import type { ProjectIndex } from '../config/projectIndex.js';
import type { Kind } from '../kinds.js';

export interface TakenName {
  readonly name: string;
  readonly path: string;
}

/**
 * The file of a kind with the same name in any letter case, which some disks do not distinguish; undefined if the name is free. For agents and
 * prompts, any version counts.
 */
export function findTakenName(project: Pick<ProjectIndex, 'ids'>, kind: Kind, name: string): TakenName | undefined {
  for (const [id, path] of project.ids(kind)) {
    const at = kind === 'agent' || kind === 'prompt' ? id.indexOf('@') : id.length;
    const taken = id.slice(0, at);
    if (taken.toLowerCase() === name.toLowerCase()) return { name: taken, path };
  }
  return undefined;
}
