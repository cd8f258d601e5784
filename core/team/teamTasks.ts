import { EventQueue } from '../agent/eventQueue.js';
import type { AgentEvent, EventBody, RunContext, RunError, RunResult } from '../agent/events.js';
import { answerOf, refusedResult, toRunError } from '../agent/runResult.js';
import type { Agent } from '../agent/types.js';
import { InputInvalidError } from '../errors.js';
import type { TaskEndEvent } from '../generated/types.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { instanceOf } from '../snapshot/snapshotValue.js';
import type { OrderedTask } from './taskOrder.js';
import { evaluateInTeam, type TeamScope } from './teamTemplates.js';
import type { RunTask } from './types.js';

export interface TeamTasksRequest {
  readonly team: string;
  readonly execution: number;
  /** In file order. */
  readonly tasks: ReadonlyMap<string, OrderedTask>;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly input: JsonObject;
  readonly context: JsonObject;
  /** Of the run, with the rest of its budget; read as each task starts. */
  readonly runContext: () => RunContext;
  readonly runTask: RunTask;
  readonly newId: () => string;
  /** Called for each finished task, before its `task_end`. */
  readonly done: (task: string, result: RunResult) => void;
  /** Once it aborts, nothing more starts. */
  readonly signal: AbortSignal;
  /** A task could not be run at all, which ends the others. */
  readonly fail: (rejection: TaskRejection) => void;
}

/** An event of a task's agent, to become one of the run. */
export interface TaskEvent {
  readonly of: Exclude<AgentEvent, { type: RunEventType }>;
  readonly team: string;
  readonly task: string;
}

/** Events of a whole run. The start and end of an agent's own run are reported as those of its task. */
const runEventTypes = ['run_start', 'team_start', 'task_start', 'task_end', 'route', 'team_end', 'final'] as const;
type RunEventType = (typeof runEventTypes)[number];

function isOfTask(event: AgentEvent): event is TaskEvent['of'] {
  return !(runEventTypes as readonly string[]).includes(event.type);
}

/** What ends a run in the middle of a task: not an act of the task's agent, but that its work could not be stored, or a bug. */
export class TaskRejection extends Error {
  override readonly name = 'TaskRejection';
  readonly team: string;
  readonly task: string;

  constructor(team: string, task: string, cause: unknown) {
    super(`Task "${task}" of team "${team}" could not be done.`, { cause });
    this.team = team;
    this.task = task;
  }
}

/**
 * The running tasks of one team, each as soon as those it waits for are done. Yields lists of their events, in the order they happen, until all
 * started tasks are done. There is a result for every task, unless the run ended before it started.
 */
export function startTasks(request: TeamTasksRequest): EventQueue<EventBody | TaskEvent> {
  const { team, tasks, agents, done, signal, fail } = request;
  const queue = new EventQueue<EventBody | TaskEvent>();
  const results = new Map<string, RunResult>();
  const missing = new Map<string, number>();
  const followers = new Map<string, string[]>();
  const roots = new Map<string, FirstFailure>();
  let running = 0;

  function begin(name: string): void {
    const ordered = tasks.get(name);
    if (!ordered || signal.aborted) return;
    running += 1;
    queue.push({ type: 'task_start', team, task: name });
    void carryOut(ordered)
      .then((result) => {
        results.set(name, result);
        done(name, result);
        // Only an orchestration is ever partial.
        const status = result.status as TaskEndEvent['status'];
        queue.push({ type: 'task_end', team, task: name, status, result });
        for (const follower of followers.get(name) ?? []) release(follower);
      })
      .catch((cause: unknown) => fail(new TaskRejection(team, name, cause)))
      .finally(() => {
        running -= 1;
        if (running === 0) queue.close();
      });
  }

  function release(name: string): void {
    const missingCount = (missing.get(name) ?? 0) - 1;
    missing.set(name, missingCount);
    if (missingCount === 0) begin(name);
  }

  async function carryOut(ordered: OrderedTask): Promise<RunResult> {
    const { name } = ordered.task;
    const instance = instanceOf(team, name);
    const agent = agents.get(instance);
    if (!agent) throw new Error(`There is no agent for the instance ${JSON.stringify(instance)}.`);
    const context = request.runContext();
    const refuse = (error: RunError) => refusedResult(agent, error, request.newId(), context);

    const failed = ordered.needsThem ? ordered.after.find((other) => results.get(other)?.status !== 'completed') : undefined;
    if (failed !== undefined) {
      const root = roots.get(failed) ?? { task: failed, error: results.get(failed)?.error ?? null };
      roots.set(name, root);
      return refuse(failedWith(name, team, failed, root));
    }
    let payload: JsonObject;
    try {
      payload = payloadOf(ordered, request, results);
    } catch (error) {
      if (error instanceof InputInvalidError) return refuse(toRunError(error));
      throw error;
    }
    let isOver = false;
    const emit = (event: AgentEvent) => {
      if (!isOver && isOfTask(event)) queue.push({ of: event, team, task: name });
    };
    try {
      return await request.runTask({ team, task: name, execution: request.execution, instance, payload, context, signal }, emit);
    } finally {
      isOver = true;
    }
  }

  for (const [name, { after }] of tasks) {
    missing.set(name, after.length);
    for (const other of after) followers.set(other, [...(followers.get(other) ?? []), name]);
  }
  for (const [name, { after }] of tasks) if (after.length === 0) begin(name);
  if (running === 0) queue.close();
  return queue;
}

function payloadOf(
  { task, sees }: OrderedTask,
  { team, tasks, input, context }: TeamTasksRequest,
  results: ReadonlyMap<string, RunResult>,
) {
  if (task.input === undefined) return context;
  const place = `The input of task "${task.name}" of team "${team}"`;
  const before = [...tasks.keys()].filter((name) => sees.has(name));
  const payload = evaluateInTeam(task.input, scopeOf(input, context, before, results), place, (name) => {
    if (!tasks.has(name)) return `"${name}" is not a task of this team.`;
    if (sees.has(name)) return `"${name}" did not complete.`;
    return name === task.name ? undefined : `"${task.name}" does not wait for "${name}": add it to depends_on.`;
  });
  if (isObject(payload)) return payload;
  const message = `${place} must be an object, and ${JSON.stringify(task.input)} yields something else.`;
  throw new InputInvalidError(message, [{ path: '', keyword: 'type', message }]);
}

/** What templates may read once the given tasks are done. Only completed tasks have an output: what others left was never checked. */
export function scopeOf(
  input: JsonObject,
  context: JsonObject,
  tasks: Iterable<string>,
  results: ReadonlyMap<string, RunResult>,
): TeamScope {
  const outputs = new Map<string, Json>();
  for (const name of tasks) {
    const result = results.get(name);
    if (result?.status === 'completed') outputs.set(name, answerOf(result));
  }
  return { input, context, outputs };
}

/** The failure that made others fail. */
interface FirstFailure {
  readonly task: string;
  readonly error: RunError | null;
}

/** It fails with the code of the first of them, so that failures counted by code show one cause. */
function failedWith(task: string, team: string, other: string, { task: first, error }: FirstFailure): RunError {
  const how = first === other ? 'which failed' : `which was not begun either, since "${first}" failed`;
  return {
    code: error?.code ?? 'cancelled',
    message: `Task "${task}" of team "${team}" was not begun: it waits for "${other}", ${how}${error ? `: ${error.message}` : '.'}`,
    details: { ...error?.details, waited_for: other, failed: first },
    recoverable: error?.recoverable ?? true,
  };
}
