import type { RunResult } from '../../../core/agent/events.js';
import type { JsonObject } from '../../../core/json.js';
import type { Project } from '../../../core/node/openProject.js';
import type { Orchestration } from '../../../core/team/types.js';
import type { Client } from '../../client.js';
import type { ProjectFolder } from '../../projects.js';
import { requireTrust } from '../../trust.js';
import { requireServers } from '../tools/requireServers.js';
import type { CheckedOrchestration } from './checkedOrchestration.js';
import { LiveRun, type RunPlan, type TeamChoice } from './liveRun.js';
import { requireKey } from './requireKey.js';
import { showRun } from './showRun.js';
import { planTeamRun } from './teamRun.js';

/** Runs an orchestration, shows it, and ends with its result. @throws Refusal when it cannot run */
export async function startTeamRun(
  client: Client,
  { project, orchestration }: CheckedOrchestration,
  choice: TeamChoice,
): Promise<RunResult> {
  requireTrust();
  await requireParts(client, choice.folder, project, orchestration.agents);
  return follow(client, planTeamRun(project, orchestration, choice));
}

/** Asks for every key and every server that one of the agents needs, before anything runs. @throws Refusal without them */
export async function requireParts(
  client: Client,
  folder: ProjectFolder,
  project: Project,
  agents: Orchestration['agents'],
): Promise<void> {
  const servers: Record<string, JsonObject[string]> = {};
  for (const agent of agents.values()) {
    await requireKey({ agent, project });
    Object.assign(servers, agent.resolved.servers);
  }
  await requireServers(client, folder, project, servers);
}

/** Shows a run in its panel, and in the graph of its orchestration where that is open. */
export async function follow(client: Client, plan: RunPlan): Promise<RunResult> {
  const run = new LiveRun(client, plan);
  showRun(client, run, { isNew: true, keepsFocus: true });
  client.graphs.loaded?.follow(run);
  const result = await run.result;
  void import('../runs/ignoreHint.js').then(({ hintAtIgnoring }) => hintAtIgnoring(client, plan.folder));
  return result;
}
