import type { ProjectIndex } from '../config/projectIndex.js';
import type { Json, JsonObject } from '../json.js';
import { agentTemplate, newAgentFiles } from './newAgentFiles.js';
import { type NewFiles, toNewFile } from './newFile.js';

/** An agent of a new orchestration, with a valid input (`sampleInput`, or that of one of its payloads). */
export interface TeamAgent {
  readonly agent_name: string;
  readonly version: string;
  readonly input: JsonObject;
}

/**
 * The files of a new orchestration, itself first: a team for each agent, in sequence, with inputs from the context. Without agents, one is created
 * too.
 *
 * @param name a legal name that is free
 */
export function newOrchestrationFiles(project: ProjectIndex, name: string, agents: readonly TeamAgent[]): NewFiles {
  if (agents.length > 0) return [toNewFile('orchestration', name, project.settings, orchestrationTemplate(name, agents))];
  const agent_name = `${toPascal(name).slice(0, 59)}Agent`;
  const { input } = agentTemplate(agent_name).payload as { readonly input: JsonObject };
  const orchestration = orchestrationTemplate(name, [{ agent_name, version: 'v1', input }]);
  return [toNewFile('orchestration', name, project.settings, orchestration), ...newAgentFiles(project, agent_name)];
}

function orchestrationTemplate(name: string, agents: readonly TeamAgent[]): JsonObject {
  const ids = teamIds(agents);
  const teams = agents.map(({ agent_name, version, input }, index) => {
    const task: JsonObject = {
      name: ids[index]!,
      agent: `${agent_name}@${version}`,
      input: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, isPath(key) ? `{{context.${key}}}` : value])),
    };
    return [ids[index]!, { name: agent_name, tasks: [task], routing: { default: ids[index + 1] ?? null } }] as const;
  });
  return { name, entry_team: ids[0]!, context: contextFor(agents), teams: Object.fromEntries(teams) };
}

/** The context for the inputs of the teams. If several agents have a key, the first sets its value. */
function contextFor(agents: readonly TeamAgent[]): JsonObject {
  const context = new Map<string, Json>();
  for (const { input } of agents) {
    for (const [key, value] of Object.entries(input)) if (isPath(key) && !context.has(key)) context.set(key, value);
  }
  return Object.fromEntries(context);
}

/** `TicketRouter` to `ticket_router`; a second one is `ticket_router_2`. */
function teamIds(agents: readonly TeamAgent[]): readonly string[] {
  const ids: string[] = [];
  for (const { agent_name } of agents) {
    const id = agent_name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll(/[.-]+/g, '_')
      .toLowerCase()
      .slice(0, 60);
    let free = id;
    for (let number = 2; ids.includes(free); number++) free = `${id}_${number}`;
    ids.push(free);
  }
  return ids;
}

/** Whether a template can name the key. */
function isPath(key: string): boolean {
  return /^[\p{L}\p{M}\p{N}_$-]+$/u.test(key);
}

/** `issue_intake` to `IssueIntake`. */
function toPascal(name: string): string {
  return name.replaceAll(/(?:^|[._-]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
