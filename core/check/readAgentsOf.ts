import { agentsWithPersona, findAgent } from '../config/agentReference.js';
import type { ConfigFile } from '../config/configFile.js';
import { loopLimits } from '../config/defaults.js';
import { mayFollowPlan } from '../config/mayFollowPlan.js';
import { parseConfigFile } from '../config/parseConfigFile.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { collectReferences } from '../config/references.js';
import { isObject, pointerOf } from '../json.js';
import type { MaybePromise } from '../ports.js';

/**
 * The agent files that an orchestration's tasks, an agent's plan, a payload or a section of system.json refer to, and those that their plans
 * name, by `name@version`; for a payload of an orchestration also that orchestration, by its name; for a persona the agents that name it. Rules need
 * them, and no index keeps them. Empty for files that name no agent. A file that `read` returns no text for, or that belongs to another tool, is left
 * out, as are agents reached only by calls deeper than `loopLimits.nesting`, which every run refuses.
 *
 * @param read the text of a project path; open documents before what is on disk
 */
export async function readAgentsOf(
  file: ConfigFile,
  project: ProjectIndex,
  read: (path: string) => MaybePromise<string | undefined>,
): Promise<ReadonlyMap<string, ConfigFile>> {
  const agents = new Map<string, ConfigFile>();
  let level = namesAgents(file, project) ? [file] : [];
  const { kind, agent: owner } = file.identity;
  if (kind === 'payload' && owner !== undefined && project.versions(owner).length === 0) {
    const path = project.ids('orchestration').get(owner);
    const text = path === undefined ? undefined : await read(path);
    const orchestration =
      path === undefined || text === undefined ? undefined : parseConfigFile(path, text, { kind: 'orchestration', name: owner, id: owner });
    if (orchestration !== undefined && !orchestration.foreign) {
      agents.set(owner, orchestration);
      level = [...level, orchestration];
    }
  }
  for (let depth = file.identity.kind === 'agent' ? 1 : 0; depth <= loopLimits.nesting; depth += 1) {
    const deeper: ConfigFile[] = [];
    for (const reference of level.flatMap((file) => agentsNamedIn(file, project))) {
      const target = findAgent(project, reference);
      if (target === undefined || agents.has(target.id)) continue;
      const { name, version, id, path } = target;
      const text = await read(path);
      const agent = text === undefined ? undefined : parseConfigFile(path, text, { kind: 'agent', name, version, id });
      if (agent === undefined || agent.foreign) continue;
      agents.set(id, agent);
      deeper.push(agent);
    }
    level = deeper;
  }
  return agents;
}

/** Whether a file may name agents: nearly every agent calls no other. */
export function namesAgents({ identity: { kind }, value }: ConfigFile, project: ProjectIndex): boolean {
  return (
    kind === 'orchestration' ||
    kind === 'payload' ||
    kind === 'persona' ||
    (kind === 'system' && isObject(value) && isObject(value.agents)) ||
    (kind === 'agent' && mayFollowPlan(value, project))
  );
}

/** The plan may come from a persona. */
function agentsNamedIn(file: ConfigFile, project: ProjectIndex): readonly string[] {
  const { kind } = file.identity;
  if (kind === 'persona') return agentsWithPersona(project, file.identity.id)?.map(({ id }) => id) ?? [];
  return collectReferences(file).flatMap(({ kind: target, id, pointer }) => {
    // A payload applies to every version of its agent, and so does a section of system.json.
    if (target === 'agent' && (kind === 'payload' ? pointer === '' : kind === 'system' && pointer === pointerOf('agents', id)))
      return project.versions(id).map((version) => `${id}@${version}`);
    if (target === 'agent') return [id];
    const value = target === 'persona' ? project.value('persona', id) : undefined;
    const path = value && project.ids('persona').get(id);
    if (value?.execution_plan === undefined || path === undefined) return [];
    const persona = { path, identity: { kind: 'persona', name: id, id }, value } as const;
    return collectReferences(persona).flatMap((named) => (named.kind === 'agent' ? [named.id] : []));
  });
}
