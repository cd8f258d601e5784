import type { Agent } from '../agent/types.js';
import { calledBy } from '../snapshot/calledAgents.js';
import { type FrozenTeam, instanceOf } from '../snapshot/snapshotValue.js';
import type { Orchestration } from '../team/types.js';

/**
 * The agents that a resumed run of an orchestration may still call: those of unfinished tasks in the team where it stopped, those of all teams
 * that routing may reach from there, and the agents that their plans call.
 *
 * @param finished full names of the kept steps: `{execution}/{team}/{task}/result` is that of a whole task
 */
export function agentsLeft({ frozen, agents }: Orchestration, finished: ReadonlySet<string>): readonly Agent[] {
  const { teams, entry_team } = frozen;
  const { execution, team } = lastExecution(finished) ?? { execution: 1, team: entry_team };
  const teamOf = (name: string) => (Object.hasOwn(teams, name) ? teams[name] : undefined);
  const reachable = new Set<string>();
  const open = nextTeams(teamOf(team));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reachable.has(next)) continue;
    reachable.add(next);
    open.push(...nextTeams(teamOf(next)));
  }
  const here = (teamOf(team)?.tasks ?? []).filter(({ name }) => !finished.has(`${execution}/${team}/${name}/result`));
  const instances = [
    ...here.map(({ name }) => instanceOf(team, name)),
    ...[...reachable].flatMap((name) => (teamOf(name)?.tasks ?? []).map((task) => instanceOf(name, task.name))),
  ];
  return withCalled(instances, agents);
}

/** The last team that ran, if one of its steps was kept. */
function lastExecution(finished: Iterable<string>): { readonly execution: number; readonly team: string } | undefined {
  let last: { readonly execution: number; readonly team: string } | undefined;
  for (const step of finished) {
    const [number, team] = step.split('/', 2);
    const execution = Number(number);
    if (team !== undefined && execution > (last?.execution ?? 0)) last = { execution, team };
  }
  return last;
}

function nextTeams(team: FrozenTeam | undefined): string[] {
  const { rules = [], default: fallback } = team?.routing ?? {};
  return [...rules.map(({ next_team }) => next_team), fallback].filter((next) => typeof next === 'string');
}

function withCalled(instances: readonly string[], agents: ReadonlyMap<string, Agent>): readonly Agent[] {
  const called = new Map<string, Agent>();
  const open = [...instances];
  for (let instance = open.pop(); instance !== undefined; instance = open.pop()) {
    const agent = called.has(instance) ? undefined : agents.get(instance);
    if (agent === undefined) continue;
    called.set(instance, agent);
    open.push(...calledBy(agent.resolved));
  }
  return [...called.values()];
}
