import type { Agent } from '../../../core/agent/types.js';
import type { JsonObject } from '../../../core/json.js';
import type { Project } from '../../../core/project/types.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { requireServers } from '../tools/requireServers.js';
import { requireBudget } from './requireBudget.js';
import { requireKey } from './requireKey.js';

/**
 * Before agents run: the budget of the day, every key and every server that one of them needs.
 *
 * @throws Refusal without a key or a server; CancellationError when the user does not want to run
 */
export async function requireParts(services: Services, folder: ProjectFolder, project: Project, agents: Iterable<Agent>): Promise<void> {
  const all = [...agents];
  await requireBudget(services, folder, all);
  const servers: Record<string, JsonObject[string]> = {};
  for (const agent of all) {
    await requireKey({ agent, project });
    Object.assign(servers, agent.resolved.servers);
  }
  await requireServers(services, folder, project, servers);
}
