import type { Project } from '../workspace.js';

/** Paths of the payloads and the baseline of an agent or orchestration. */
export function payloadsOf(name: string, project: Project): readonly string[] {
  return project.index.files().flatMap(({ path, identity }) => {
    const subject = identity.kind === 'baseline' ? identity.name : identity.kind === 'payload' ? identity.agent : undefined;
    return subject === name ? [path] : [];
  });
}

/** Whether both an agent and an orchestration have a name: then the owner of the payloads of that name is unknown. */
export function isShared(name: string, { index }: Project): boolean {
  return index.versions(name).length > 0 && index.ids('orchestration').has(name);
}
