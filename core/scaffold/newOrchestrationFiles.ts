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
 * The files of a new orchestration, itself first: a team for each agent, in sequence, with inputs from its own, and a sample of that input.
 * Without agents, one is created too.
 *
 * @param name a legal name that is free
 */
export function newOrchestrationFiles(project: ProjectIndex, name: string, agents: readonly TeamAgent[]): NewFiles {
  if (agents.length > 0) return withSample(project, name, agents);
  const agent_name = `${toPascal(name).slice(0, 59)}Agent`;
  const { input } = agentTemplate(agent_name).payload as { readonly input: JsonObject };
  return [...withSample(project, name, [{ agent_name, version: 'v1', input }]), ...newAgentFiles(project, agent_name)];
}

/** The case of a new orchestration. */
export const sampleCase = 'example';

function withSample(project: ProjectIndex, name: string, agents: readonly TeamAgent[]): NewFiles {
  const { settings } = project;
  const sample = sampleFor(agents);
  const id = `${name}/${sampleCase}`;
  const orchestration = toNewFile('orchestration', name, settings, orchestrationTemplate(name, agents, Object.keys(sample)));
  return project.ids('payload').has(id) ? [orchestration] : [orchestration, toNewFile('payload', id, settings, { context: sample })];
}

function orchestrationTemplate(name: string, agents: readonly TeamAgent[], input_keys: readonly string[]): JsonObject {
  const ids = teamIds(agents);
  const teams = agents.map(({ agent_name, version, input }, index) => {
    const task: JsonObject = {
      name: ids[index]!,
      agent: `${agent_name}@${version}`,
      input: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, isPath(key) ? `{{context.${key}}}` : value])),
    };
    const next = ids[index + 1];
    return [ids[index]!, { name: agent_name, tasks: [task], ...(next !== undefined && { routing: { default: next } }) }] as const;
  });
  return { name, entry_team: ids[0]!, input_keys, teams: Object.fromEntries(teams) };
}

/** The input that the teams take theirs from. If several agents have a key, the first sets its value. */
function sampleFor(agents: readonly TeamAgent[]): JsonObject {
  const sample = new Map<string, Json>();
  for (const { input } of agents) {
    for (const [key, value] of Object.entries(input)) if (isPath(key) && !sample.has(key)) sample.set(key, value);
  }
  return Object.fromEntries(sample);
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
