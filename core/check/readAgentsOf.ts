import { findAgent } from '../config/agentReference.js';
import type { ConfigFile } from '../config/configFile.js';
import { parseConfigFile } from '../config/parseConfigFile.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { collectReferences } from '../config/references.js';
import { isObject } from '../json.js';
import type { MaybePromise } from '../ports.js';

/**
 * The agent files that an orchestration's tasks and an agent's plan name, and those that their plans name, by `name@version`: what rules need to
 * know and no index keeps. Empty for files that name none. A file that `read` has no text of, or that is something else, is left out.
 *
 * @param read the text of a project path; open documents before what is on disk
 */
export async function readAgentsOf(
  file: ConfigFile,
  project: ProjectIndex,
  read: (path: string) => MaybePromise<string | undefined>,
): Promise<ReadonlyMap<string, ConfigFile>> {
  const agents = new Map<string, ConfigFile>();
  const open = namesAgents(file) ? [file] : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const reference of agentsNamedIn(next, project)) {
      const target = findAgent(project, reference);
      if (target === undefined || agents.has(target.id)) continue;
      const { name, version, id, path } = target;
      const text = await read(path);
      const agent = text === undefined ? undefined : parseConfigFile(path, text, { kind: 'agent', name, version, id });
      if (agent === undefined || agent.foreign) continue;
      agents.set(id, agent);
      open.push(agent);
    }
  }
  return agents;
}

/** Whether a file may name agents: nearly every agent calls no other. */
export function namesAgents({ identity: { kind }, value }: ConfigFile): boolean {
  if (kind === 'orchestration') return true;
  return kind === 'agent' && isObject(value) && (value.execution_plan !== undefined || value.agent_type === 'orchestrating');
}

/** A plan may be that of a persona. */
function agentsNamedIn(file: ConfigFile, project: ProjectIndex): readonly string[] {
  return collectReferences(file).flatMap(({ kind, id }) => {
    if (kind === 'agent') return [id];
    const value = kind === 'persona' ? project.value('persona', id) : undefined;
    const path = value && project.ids('persona').get(id);
    if (value?.execution_plan === undefined || path === undefined) return [];
    const persona = { path, identity: { kind: 'persona', name: id, id }, value } as const;
    return collectReferences(persona).flatMap((named) => (named.kind === 'agent' ? [named.id] : []));
  });
}
