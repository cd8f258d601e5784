import { findAgent } from '../config/agentReference.js';
import type { ConfigFile } from '../config/configFile.js';
import { parseConfigFile } from '../config/parseConfigFile.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { collectReferences } from '../config/references.js';
import type { MaybePromise } from '../ports.js';

/**
 * The agent files that an orchestration's tasks name, by `name@version`: what its rules need to know and no index keeps. Empty for other kinds.
 * A file that `read` has no text of, or that is something else, is left out.
 *
 * @param read the text of a project path; open documents before what is on disk
 */
export async function readAgentsOf(
  file: ConfigFile,
  project: ProjectIndex,
  read: (path: string) => MaybePromise<string | undefined>,
): Promise<ReadonlyMap<string, ConfigFile>> {
  const agents = new Map<string, ConfigFile>();
  if (file.identity.kind !== 'orchestration') return agents;
  for (const { kind, id: reference } of collectReferences(file)) {
    const target = kind === 'agent' ? findAgent(project, reference) : undefined;
    if (target === undefined || agents.has(target.id)) continue;
    const { name, version, id, path } = target;
    const text = await read(path);
    const agent = text === undefined ? undefined : parseConfigFile(path, text, { kind: 'agent', name, version, id });
    if (agent !== undefined && !agent.foreign) agents.set(id, agent);
  }
  return agents;
}
