import type { Stop } from '../agent/gate.js';
import type { Json } from '../json.js';
import { agentPlace, limitReason } from './agentPlaces.js';
import { anyCalls, type NoPlace, type Path, type PlaceStops } from './placeTypes.js';
import type { Site } from './usedPlaces.js';

const reasons: { readonly [field: string]: string } = {
  max_total_teams: limitReason,
  max_recursion_depth: limitReason,
  input_keys: 'The input is checked before the run begins.',
  input_schema: 'The input is checked before the run begins.',
  context: 'The context is shown at each route: set the breakpoint at a rule or default of "routing".',
};

/** What stops at a line of the orchestration that is run. @param value the value at the first parts of the path */
export function teamPlace(path: Path, value: (length: number) => Json | undefined, site: Site): PlaceStops | NoPlace {
  const [field, team, part, index, rule] = path;
  if (field === undefined || field === 'name' || field === 'description' || (field === 'teams' && team === undefined))
    return { kinds: anyCalls, isAt: () => true, once: () => 'run' };
  if (field === 'entry_team') return teamBegins(value(1));
  if (field !== 'teams' || typeof team !== 'string')
    return { reason: reasons[String(field)] ?? 'An orchestration stops at its teams, tasks and routing rules.' };
  if (part === 'max_recursion_depth') return { reason: reasons[part] as string };
  if (part === 'tasks' && typeof index === 'number') {
    if (path[4] === 'config' && path.length > 5) {
      const config = agentPlace(path.slice(5), (length) => value(length + 5), site);
      if (!('reason' in config)) return { ...config, isAt: (stop) => stop.team === team && config.isAt(stop) };
      return config;
    }
    const name = value(5);
    return {
      kinds: anyCalls,
      isAt: (stop) => stop.team === team && stop.at !== 'route' && (name === undefined || stop.task === name),
      once: taskOf,
    };
  }
  if (part === 'routing' && index === 'rules' && typeof rule === 'number') return rulePlace(team, rule);
  if (part === 'routing' && index === 'default')
    return { kinds: [['route']], isAt: (stop) => stop.at === 'route' && stop.team === team && stop.rule === null };
  if (part === 'routing') return { kinds: [['route']], isAt: (stop) => stop.at === 'route' && stop.team === team };
  return teamBegins(team);
}

/** Before the first call of a team, each time it runs. */
function teamBegins(team: Json | undefined): PlaceStops {
  return { kinds: anyCalls, isAt: (stop) => stop.team === team && stop.at !== 'route', once: ({ execution }) => String(execution) };
}

/** The execution of a task. */
function taskOf({ team, task, execution }: Stop): string {
  return JSON.stringify([team, task, execution]);
}

/** A rule is looked at when no earlier one has held. */
function rulePlace(team: string, rule: number): PlaceStops {
  const isTaken = (stop: Stop) => stop.at === 'route' && stop.rule === rule;
  return {
    kinds: [['route']],
    isAt: (stop) => stop.at === 'route' && stop.team === team && (stop.rule === null || stop.rule >= rule),
    usually: isTaken,
    own: { names: ['rule'], at: (stop) => ({ rule: isTaken(stop) ? 'taken' : 'failed' }) },
  };
}
