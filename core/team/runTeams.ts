import type { EventBody } from '../agent/events.js';
import type { Change, Gate, KeptChange, Stop } from '../agent/gate.js';
import { requirePrices } from '../agent/requirePrices.js';
import { answerOf } from '../agent/runResult.js';
import { gateOf, lockedByReplay, stopAt, unused } from '../agent/stopRun.js';
import { ConfigInvalidError, InputInvalidError, type Issue } from '../errors.js';
import type { TeamStartEvent } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { usesPatterns } from '../routing/evaluateCondition.js';
import { loadPatterns, type Patterns } from '../routing/patterns.js';
import { checkRunBudget } from '../runContext.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { FrozenOrchestration, FrozenTeam } from '../snapshot/snapshotValue.js';
import { checkContext } from './checkContext.js';
import { chooseNextTeam, type NextTeam } from './chooseNextTeam.js';
import { contextSnapshot } from './contextSnapshot.js';
import type { OrchestrationRecord } from './orchestrationRecord.js';
import { type OrderedTask, orderTeams } from './taskOrder.js';
import { createTeamLimits } from './teamLimits.js';
import { startTasks, type TaskEvent } from './teamTasks.js';
import type { OrchestrationRequest } from './types.js';

/** What the run of an orchestration works with. */
export interface TeamsTurn {
  readonly request: OrchestrationRequest;
  readonly record: OrchestrationRecord;
  /** Ends all tasks. */
  readonly over: AbortController;
}

/** The events of a run: runs one team after another until routing ends the run. An exception ends it as failed or cancelled. */
export async function* runTeams({ request, record, over }: TeamsTurn): AsyncGenerator<EventBody | TaskEvent, void, undefined> {
  const { orchestration, runTask, ports, resume } = request;
  const { frozen, agents, snapshot } = orchestration;
  const { input, snapshot_path } = record;
  yield { type: 'run_start', snapshot_hash: snapshot.hash, snapshot_path, ...(resume && { resumed: resume.finished_steps }) };

  const { signal } = over;
  checkRunBudget(record.runContext);
  requirePrices(agents.values(), record.runContext);
  const order = orderTeams(frozen);
  const limits = createTeamLimits(frozen);
  const snapshots = createTeamSnapshots(request);
  let patterns: Patterns | undefined;

  for (let team: string | null = frozen.entry_team; team !== null; ) {
    const current: string = team;
    signal.throwIfAborted();
    const { routing } = teamNamed(current, frozen);
    const tasks: ReadonlyMap<string, OrderedTask> = order.get(current) ?? new Map();
    const execution = limits.enter(current);
    const { context } = record;
    record.beginTeam(current, tasks.keys());
    record.log('debug', 'team started', { team: current, execution });
    yield { type: 'team_start', team: current, execution, ...(await snapshots(current, context)) };

    const events = startTasks({
      team: current,
      execution,
      tasks,
      agents,
      input,
      context,
      runContext: () => record.taskContext(),
      runTask,
      newId: () => ports.random.id(),
      done: (task, result) => record.done(task, result),
      fail: (rejection) => over.abort(rejection),
      signal,
    });
    try {
      for (let batch = await events.next(); batch; batch = await events.next()) for (const event of batch) yield event;
    } finally {
      // If the reader has left, the tasks are being cancelled, and the run ends when they have.
      while (await events.next());
    }

    let next: NextTeam | undefined;
    let failure: unknown = record.budgetFailure();
    if (!signal.aborted && failure === undefined) {
      try {
        if (routing.rules?.some(({ condition }) => usesPatterns(condition))) patterns ??= await loadPatterns();
        next = chooseNextTeam({ team: current, routing, tasks: tasks.keys(), results: record.results, input, context, patterns });
      } catch (error) {
        failure = record.budgetSpent() ?? error;
      }
    }
    if (next) {
      const { rule, next_team, context_updates, notes } = next;
      record.routed(next);
      yield { type: 'route', team: current, rule, next_team, context_updates, notes };
      const gate = gateOf(request);
      if (gate) yield* stopAtRoute(gate, { request, record, over }, { team: current, execution }, next);
    }
    yield { type: 'team_end', team: current };
    signal.throwIfAborted();
    if (!next) throw failure;
    team = next.next_team;
  }
}

/** Stops at a route, and applies what was changed in the context. Which team is next stays as routing decided. */
async function* stopAtRoute(
  gate: Gate,
  { request: { steps, edits, isReplay }, record, over }: TeamsTurn,
  { team, execution }: { readonly team: string; readonly execution: number },
  { rule, next_team, notes }: NextTeam,
): AsyncGenerator<EventBody> {
  const check = ({ context: changed = record.context, ...others }: Change): readonly Issue[] => {
    const issues = unused(others, 'route');
    try {
      checkContext(changed, 'The context');
      return issues;
    } catch (error) {
      if (!(error instanceof InputInvalidError)) throw error;
      return [...issues, ...error.issues];
    }
  };
  const stop = (): Stop => {
    const outcomes = Object.fromEntries(
      [...record.results].map(([task, result]) => [task, { status: result.status, output: answerOf(result) }]),
    );
    const locked = isReplay ? lockedByReplay : undefined;
    return { at: 'route', team, execution, rule, next_team, outcomes, context: record.context, notes, locked, check };
  };
  const edited: EventBody[] = [];
  const apply = ({ context }: KeptChange) => {
    if (context) edited.push(record.edited(context));
  };
  const kept = ({ context }: Change) => (context && canonicalJson(context) !== canonicalJson(record.context) ? { context } : undefined);
  const stopping = {
    gate,
    signal: over.signal,
    waitForPerson: <Answer>(answer: Promise<Answer>) => answer,
    ...(steps && { steps }),
    ...(edits && { edits }),
  };
  await stopAt(stopping, { stop: 'route', step: execution, call: team }, stop, apply, kept);
  yield* edited;
}

function teamNamed(team: string, { teams }: FrozenOrchestration): FrozenTeam {
  const nextTeam = Object.hasOwn(teams, team) ? teams[team] : undefined;
  if (nextTeam) return nextTeam;
  const nearest = didYouMean(nearestNames(team, Object.keys(teams)));
  throw new ConfigInvalidError(`"${team}" would run next and is not a team of this orchestration.${nearest}`, []);
}

type RecordedSnapshot = Pick<TeamStartEvent, 'snapshot_hash' | 'snapshot_path'>;

/** Records the snapshot of a team that runs again with a changed context. @throws StorageError */
function createTeamSnapshots({ orchestration, ports, store }: OrchestrationRequest) {
  const contexts = new Map<string, JsonObject>();
  return async (team: string, context: JsonObject): Promise<RecordedSnapshot> => {
    const before = contexts.get(team);
    contexts.set(team, context);
    if (before === undefined || before === context || canonicalJson(before) === canonicalJson(context)) return {};
    const snapshot = contextSnapshot(orchestration.snapshot, context, ports.sha256);
    const kept = await store?.snapshot(snapshot);
    return { snapshot_hash: snapshot.hash, snapshot_path: kept?.snapshot_path ?? null };
  };
}
