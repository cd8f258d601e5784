import type { RunResult } from '../../agent/events.js';
import { emptyMetadata, emptyResult } from '../../agent/runResult.js';
import { AgentStackError } from '../../errors.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import type { Patterns } from '../../routing/patterns.js';
import { mergePatch } from '../../snapshot/mergePatch.js';
import type { ResolvedOrchestration } from '../../snapshot/resolveOrchestration.js';
import { type FrozenOrchestration, instanceOf } from '../../snapshot/snapshotValue.js';
import { chooseNextTeam } from '../../team/chooseNextTeam.js';
import { agentCoverage, type Coverable, type CoveredRun, mergeCoverage } from './agentCoverage.js';

/** A run of an orchestration, with its input. */
export interface CoveredTeamRun extends CoveredRun {
  readonly input: JsonObject;
}

/**
 * The coverage of an orchestration by its runs: the rules and defaults of its routes, and the `agentCoverage` of its tasks. A pure function: a
 * result does not name the rule that matched, so routing is evaluated again with the results of the tasks. Nor does it name the task of a tool
 * call, so a call counts for each agent of the run that may have made it.
 *
 * @param patterns required for conditions with `matches`
 */
export function orchestrationCoverage(
  resolved: ResolvedOrchestration,
  runs: readonly CoveredTeamRun[],
  patterns: Patterns,
): readonly Coverable[] {
  const taken = runs.map((run) => takenRoutes(resolved.frozen, run, patterns));
  const routes = Object.entries(resolved.frozen.teams).flatMap(([team, { routing }]): Coverable[] => {
    const { rules = [] } = routing;
    const cover = (rule: number | null, next: string | null): Coverable[] => {
      const place = rule === null ? ['default'] : ['rules', String(rule)];
      const { file, pointer } = resolved.source.originAt(['teams', team, 'routing', ...place]);
      if (file === null) return [];
      const label = `${team}, ${rule === null ? 'default' : `rule ${rule + 1}`} -> ${next ?? 'end'}`;
      return [{ kind: 'route', file, pointer, label, hits: taken.filter((reached) => reached.has(routeKey(team, rule))).length }];
    };
    return [
      ...rules.flatMap(({ next_team }, rule) => cover(rule, next_team)),
      ...(routing.default === undefined ? [] : cover(null, routing.default)),
    ];
  });
  const agents = Object.entries(resolved.frozen.teams).flatMap(([team, { tasks }]) =>
    tasks.map(({ name }) => {
      const agent = resolved.agents.get(instanceOf(team, name));
      return agent === undefined ? [] : agentCoverage(agent, executionsIn(runs, team, name));
    }),
  );
  return mergeCoverage([routes, ...agents]);
}

function routeKey(team: string, rule: number | null): string {
  return JSON.stringify([team, rule]);
}

interface Execution {
  readonly team: string;
  readonly tasks: JsonObject;
}

function executionsOf({ output }: CoveredRun): readonly Execution[] {
  const teams = isObject(output) && Array.isArray(output.teams) ? (output.teams as readonly Json[]) : [];
  return teams.flatMap((execution) =>
    isObject(execution) && typeof execution.team === 'string'
      ? [{ team: execution.team, tasks: isObject(execution.tasks) ? execution.tasks : {} }]
      : [],
  );
}

/** The keys of the routes that a run took. Stops if the stored outputs, whose secrets are masked, lead to another route. */
function takenRoutes({ context: start, teams }: FrozenOrchestration, run: CoveredTeamRun, patterns: Patterns): ReadonlySet<string> {
  const taken = new Set<string>();
  const merged = mergePatch(start, run.input);
  const input = isObject(merged) ? merged : {};
  let context = input;
  const executions = executionsOf(run);
  const ended = run.status === 'completed' || run.status === 'partial';
  for (const [index, { team, tasks }] of executions.entries()) {
    const following = executions[index + 1]?.team ?? null;
    const frozen = Object.hasOwn(teams, team) ? teams[team] : undefined;
    if (frozen === undefined || (following === null && !ended)) break;
    const results = new Map(Object.entries(tasks).map(([name, task]) => [name, resultOf(task)]));
    try {
      const { routing } = frozen;
      const next = chooseNextTeam({ team, routing, tasks: frozen.tasks.map(({ name }) => name), results, input, context, patterns });
      if (next.next_team !== following) break;
      taken.add(routeKey(team, next.rule));
      context = next.context;
    } catch (error) {
      if (!(error instanceof AgentStackError)) throw error;
      break;
    }
  }
  return taken;
}

/** The parts of a task's result that routing reads. */
function resultOf(task: Json): RunResult {
  const { status, output = null } = isObject(task) ? task : {};
  return {
    ...emptyResult,
    run_id: '',
    status: status === 'completed' ? 'completed' : 'failed',
    output,
    error: null,
    reasoning: { steps: [], decision: '', smoothness: 0, confidence: 0 },
    metadata: {
      ...emptyMetadata,
      agent_name: '',
      agent_version: null,
      provider: null,
      model_name: null,
      snapshot_hash: null,
      trace_id: '',
      correlation_id: '',
    },
  };
}

/** The executions of a task. Tool calls are those of the whole run, so they count once per run. */
function* executionsIn(runs: readonly CoveredTeamRun[], team: string, task: string): Generator<CoveredRun> {
  for (const run of runs) {
    const places = executionsOf(run).flatMap((execution, index) =>
      execution.team === team && Object.hasOwn(execution.tasks, task) ? [{ index, result: execution.tasks[task] }] : [],
    );
    for (const [number, { index, result }] of places.entries()) {
      const prefix = pointerOf('teams', index, 'tasks', task, 'output');
      const { status, output = null } = isObject(result) ? result : {};
      yield {
        status: status === 'completed' ? 'completed' : 'failed',
        output,
        tool_calls: number === 0 ? run.tool_calls : [],
        metadata: {
          repairs: run.metadata.repairs.flatMap(({ keyword, path }) =>
            path.startsWith(`${prefix}/`) ? [{ keyword, path: path.slice(prefix.length) }] : [],
          ),
        },
      };
    }
  }
}
