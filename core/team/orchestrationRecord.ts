import { coverResult } from '../agent/eventCover.js';
import type { AgentEvent, EventBody, FinalEvent, RunContext, RunError, RunResult } from '../agent/events.js';
import { createEventTime, logFields } from '../agent/runLifecycle.js';
import { toRunError } from '../agent/runResult.js';
import { spentOf } from '../agent/runUsage.js';
import { type AgentStackError, CancelledError } from '../errors.js';
import { isObject, type JsonObject } from '../json.js';
import type { LogLevel } from '../ports.js';
import { coverInput, inputCovered } from '../secrets/coverInput.js';
import { coverAll } from '../secrets/coverValue.js';
import { mergePatch } from '../snapshot/mergePatch.js';
import { checkContext } from './checkContext.js';
import type { NextTeam } from './chooseNextTeam.js';
import { orchestrationResult, type TeamExecution } from './orchestrationResult.js';
import { findUnmetTasks, partialError } from './requiredTasks.js';
import { budgetFailure, budgetLeft, budgetRefusal, spentBudget } from './runBudget.js';
import { type TaskEvent, TaskRejection } from './teamTasks.js';
import type { OrchestrationRequest } from './types.js';

interface OpenExecution {
  readonly team: string;
  /** In file order. */
  readonly tasks: readonly string[];
  /** In the order they ended. */
  readonly results: Map<string, RunResult>;
  end?: TeamExecution['end'];
}

/** The state of an orchestration's run so far; numbers its events and builds its result. One per run. */
export class OrchestrationRecord {
  readonly run_id: string;
  readonly runContext: RunContext;
  /** The context at the start: the orchestration's own with the caller's input. */
  input: JsonObject;
  /** The current context. */
  context: JsonObject;
  snapshot_path: string | null = null;
  readonly #request: OrchestrationRequest;
  readonly #time: () => string;
  readonly #started: number;
  #sequence: number;
  #executions: OpenExecution[] = [];
  #spent = 0;
  #edits = 0;
  #status: RunResult['status'] = 'failed';
  #error: RunError | null = null;

  constructor(request: OrchestrationRequest) {
    const { ports, orchestration, context, resume } = request;
    this.#request = request;
    this.#time = createEventTime(ports.clock);
    this.#started = ports.clock.monotonic() - (resume?.elapsed_ms ?? 0);
    this.#sequence = resume?.seq ?? 0;
    this.run_id = resume?.run_id ?? request.run_id ?? ports.random.id();
    this.runContext = {
      correlation_id: this.run_id,
      trace_id: this.run_id,
      timestamp: resume?.timestamp ?? this.#time(),
      ...context,
    };
    this.input = orchestration.frozen.context;
    this.context = this.input;
  }

  /** @throws InputInvalidError when the caller's input is not a valid context */
  begin(input: JsonObject = {}): void {
    checkContext(input, 'The input');
    const { store, ports } = this.#request;
    // A stored run works with what it stores, since resuming it in another process has nothing else.
    const { value, places } = store ? coverInput({ input }, ports.knownSecrets) : { value: { input }, places: [] };
    if (places.length > 0) this.log('warn', inputCovered, { places });
    const merged = mergePatch(this.input, value.input);
    this.input = isObject(merged) ? merged : {};
    this.context = this.input;
    checkContext(this.input, 'The input, together with the context of the orchestration,');
  }

  event(body: EventBody | TaskEvent): AgentEvent {
    const { run_id } = this;
    const seq = this.#sequence++;
    // Events of a task's agent keep the time at which they happened.
    if ('of' in body) return { ...body.of, run_id, seq, team: body.team, task: body.task };
    const knownSecrets = this.#request.ports.knownSecrets;
    return { run_id, seq, time: this.#time(), final: false, ...coverAll(body, knownSecrets) };
  }

  /** @param tasks names, in file order */
  beginTeam(team: string, tasks: Iterable<string>): void {
    this.#executions.push({ team, tasks: [...tasks], results: new Map() });
  }

  done(task: string, result: RunResult): void {
    const open = this.#executions.at(-1);
    open?.results.set(task, result);
    if (result.status === 'failed') this.log('warn', 'task failed', { team: open?.team, task, error: result.error?.code ?? null });
    this.#spent += spentOf(result.metadata) ?? 0;
  }

  /** Of the current team. */
  get results(): ReadonlyMap<string, RunResult> {
    return this.#executions.at(-1)?.results ?? new Map();
  }

  /** Why the run ends where a task of the team was not started, since no budget was left for it. */
  budgetFailure(): AgentStackError | undefined {
    const open = this.#executions.at(-1);
    const { budget } = this.runContext;
    if (!open || !budget) return undefined;
    for (const task of open.tasks) {
      const result = open.results.get(task);
      const failure = result && budgetFailure(task, open.team, result, budget);
      if (failure) return failure;
    }
    return undefined;
  }

  /** Why the run ends where its budget is used up: other failures then only follow from tasks without time or money. */
  budgetSpent(): AgentStackError | undefined {
    const { budget } = this.runContext;
    const open = this.#executions.at(-1);
    const refused = budget && budgetRefusal(this.taskContext());
    return refused && open && spentBudget(refused, budget, `in team "${open.team}"`);
  }

  routed({ rule, next_team, notes, context }: NextTeam): void {
    this.context = context;
    const open = this.#executions.at(-1);
    if (!open) return;
    const tasks = open.tasks.flatMap((task) => entryOf(open.results, task)).map(([task, { status }]) => `"${task}" ${status}`);
    const by = rule === null ? 'the default' : `rule ${rule + 1}`;
    const where = next_team === null ? 'ended the run' : `led to "${next_team}"`;
    open.end = { words: [`In team "${open.team}" ${tasks.join(', ')}; ${by} ${where}.`, ...notes].join(' '), time: this.#time() };
    this.log('info', 'team ended', { team: open.team, rule, next_team });
  }

  /** A person changed the context between two teams. */
  edited(context: JsonObject): EventBody {
    const before = this.context;
    this.context = context;
    this.#edits += 1;
    this.log('info', 'changed at a stop', { path: '/context' });
    return { type: 'edit', path: '/context', before, after: context };
  }

  /** The context of a task that starts now. */
  taskContext(): RunContext {
    const { budget } = this.runContext;
    if (!budget) return this.runContext;
    return { ...this.runContext, budget: budgetLeft(budget, this.#spent, this.elapsed()) };
  }

  /** Milliseconds the run has been active, earlier processes included. */
  elapsed(): number {
    const { ports, waited } = this.#request;
    return Math.max(0, ports.clock.monotonic() - this.#started - (waited?.() ?? 0));
  }

  /** Routing has ended: `completed`, or `partial` where a required task did not complete. */
  complete(): void {
    const unmet = findUnmetTasks(this.#request.orchestration.frozen, this.#executions);
    this.#status = unmet.length === 0 ? 'completed' : 'partial';
    this.#error = partialError(unmet);
  }

  fail(thrown: unknown): void {
    const isOfTask = thrown instanceof TaskRejection;
    const cause = isOfTask ? thrown.cause : thrown;
    this.#status = cause instanceof CancelledError ? 'cancelled' : 'failed';
    const error = toRunError(cause);
    this.#error = isOfTask ? { ...error, message: `Task "${thrown.task}" of team "${thrown.team}": ${error.message}` } : error;
    if (error.code === 'internal') this.log('error', 'A bug ended the run.', { stack: (cause as Error)?.stack ?? String(cause) });
  }

  /** The run itself ended as its status says, but could not be stored completely. */
  storageFailed(cause: unknown): void {
    if (this.#status === 'failed' || this.#status === 'cancelled') return;
    this.fail(cause);
  }

  /** `seq`: of a final event that this one replaces. */
  finalEvent(seq = this.#sequence++): FinalEvent {
    const result = coverResult(this.#result(), this.#request.ports.knownSecrets);
    return { run_id: this.run_id, seq, time: this.#time(), type: 'final', final: true, result };
  }

  /** A log line that names this run. */
  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const { ports, orchestration } = this.#request;
    ports.logger.log(level, message, {
      orchestration: orchestration.snapshot.value.name,
      ...logFields(this.run_id, this.runContext),
      ...fields,
    });
  }

  #result(): RunResult {
    const { orchestration } = this.#request;
    const time = this.#time();
    return orchestrationResult({
      run_id: this.run_id,
      name: orchestration.snapshot.value.name,
      status: this.#status,
      error: this.#error,
      executions: this.#executions.map(({ team, tasks, results, end = { words: `Team "${team}" did not come to its end.`, time } }) => ({
        team,
        // Results are in file order, whichever task was faster.
        results: new Map(tasks.flatMap((task): [string, RunResult][] => entryOf(results, task))),
        end,
      })),
      context: this.context,
      runContext: this.runContext,
      snapshot_hash: orchestration.snapshot.hash,
      snapshot_path: this.snapshot_path,
      execution_time_ms: Math.round(this.elapsed()),
      edits: this.#edits,
    });
  }
}

function entryOf(results: ReadonlyMap<string, RunResult>, task: string): [string, RunResult][] {
  const result = results.get(task);
  return result ? [[task, result]] : [];
}
