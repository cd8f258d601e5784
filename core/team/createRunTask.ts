import type { AgentEvent, RunError, RunResult } from '../agent/events.js';
import type { Gate } from '../agent/gate.js';
import { observeRun, type RunObserver } from '../agent/observeRun.js';
import { runAgent } from '../agent/runAgent.js';
import { refusedResult, toRunError } from '../agent/runResult.js';
import type { Spending } from '../agent/sharedBudget.js';
import type { Agent, ConnectAgent, RunRequest } from '../agent/types.js';
import type { DurableSteps } from '../durable.js';
import { AgentStackError, ReplayMismatchError, StorageError, UnfinishedStepError } from '../errors.js';
import type { Logger, Ports } from '../ports.js';
import { checkPayload } from '../prompt/payloadCheck.js';
import { budgetRefusal } from './runBudget.js';
import type { RunTask, TaskCall } from './types.js';

export interface RunTaskOptions {
  /** By instance. */
  readonly agents: ReadonlyMap<string, Agent>;
  readonly connectAgent: ConnectAgent;
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger' | 'knownSecrets'>;
  /** Default: nothing is kept. */
  readonly steps?: DurableSteps | undefined;
  /** Watches the run of each agent. */
  readonly observer?: RunObserver | undefined;
  readonly delivery?: RunRequest['delivery'] | undefined;
  readonly gate?: Gate | undefined;
  /** The budget of the whole run, which parallel tasks share. Default: each spends what its call says is left. */
  readonly budget?: Spending | undefined;
}

/**
 * Runs tasks in this process. A whole task is one step, `result`, in the scope `{execution}/{team}/{task}`, which contains the steps of
 * its agent: a finished task is not started again, and an interrupted one reuses the calls it had finished. A cancelled task is not
 * stored, so that a resumed run runs it then.
 */
export function createRunTask(options: RunTaskOptions): RunTask {
  const atWork = new Set<string>();
  return async (call, emit) => {
    atWork.add(call.task);
    try {
      return await runTask(call, emit, { ...options, atWork });
    } finally {
      atWork.delete(call.task);
    }
  };
}

/** Teams run one after another, so the names of their tasks are enough. */
interface WorkOptions extends RunTaskOptions {
  readonly atWork: ReadonlySet<string>;
}

async function runTask(call: TaskCall, emit: (event: AgentEvent) => void, options: WorkOptions): Promise<RunResult> {
  const { agents, steps } = options;
  const { execution, team, task, instance } = call;
  const agent = agents.get(instance);
  if (!agent) throw new Error(`There is no agent for the instance ${JSON.stringify(instance)}.`);
  if (!steps) return work(agent, call, emit, options, undefined);

  const scope = steps.scope(`${execution}/${team}/${task}`, 'beside');
  const inner = taskSteps(scope, { team, task });
  try {
    return await scope.step('result', () => lasting(work(agent, call, emit, options, inner)), { isComposite: true });
  } catch (error) {
    if (error instanceof CancelledTask) return error.result;
    throw error;
  }
}

async function work(
  agent: Agent,
  call: TaskCall,
  emit: (event: AgentEvent) => void,
  { connectAgent, ports, observer, delivery, budget, gate, atWork }: WorkOptions,
  steps: TaskSteps | undefined,
): Promise<RunResult> {
  const { payload, context, signal } = call;
  const refused = budgetRefusal(context);
  if (refused) return refusedResult(agent, refused, ports.random.id(), context);
  const place = `${call.execution}/${call.team}/${call.task}`;
  const connect = atTask(connectAgent, call);
  let run: RunRequest;
  try {
    checkPayload(agent.prompt, payload);
    run = {
      ...(await connect(agent, place)),
      agent,
      payload,
      ports: {
        clock: ports.clock,
        random: ports.random,
        logger: placedLogger(ports.logger, call),
        ...(ports.knownSecrets && { knownSecrets: ports.knownSecrets }),
      },
      context,
      signal,
      connectAgent: (called) => connect(called, `${place}/${called.resolved.config.agent_name}@${called.resolved.config.version}`),
      ...(steps && { steps: steps.steps }),
      ...(budget && { spending: budget }),
      ...(delivery && { delivery }),
      ...(gate && { gate: placedGate(gate, call, atWork) }),
    };
  } catch (error) {
    if (!(error instanceof AgentStackError)) throw error;
    return refusedResult(agent, toRunError(error), ports.random.id(), context);
  }

  let result: RunResult | undefined;
  for await (const event of observer ? observeRun(placedObserver(observer, call), run) : runAgent(run)) {
    if (event.final) result = event.result;
    else emit(event);
  }
  const failure = steps?.failure();
  if (failure) throw failure;
  // What follows a mismatch is not part of the recorded run.
  if (result?.error?.code === 'replay-mismatch') throw mismatchOf(result.error);
  if (!result) throw new Error('The run of an agent ended without a final event.');
  return result;
}

/** Carries a result past the step, which would store a returned value. */
class CancelledTask extends Error {
  readonly result: RunResult;

  constructor(result: RunResult) {
    super('The task was cancelled.');
    this.result = result;
  }
}

async function lasting(work: Promise<RunResult>): Promise<RunResult> {
  const result = await work;
  if (result.status === 'cancelled') throw new CancelledTask(result);
  return result;
}

function mismatchOf({ message, details }: RunError): ReplayMismatchError {
  const differences = Array.isArray(details?.differences) ? details.differences.map(String) : [];
  return new ReplayMismatchError(message, differences);
}

/** Approvals are requested with the team and task that call the tool. */
function atTask(connectAgent: ConnectAgent, { team, task }: TaskCall): ConnectAgent {
  return async (agent, place) => {
    const { approve, ...others } = await connectAgent(agent, place);
    return { ...others, ...(approve && { approve: (approvalRequest) => approve({ ...approvalRequest, team, task }) }) };
  };
}

function placedGate(gate: Gate, { team, task, execution }: TaskCall, atWork: ReadonlySet<string>): Gate {
  return (stop) => gate({ ...stop, team, task, execution, isAtWork: (other) => atWork.has(other) });
}

function placedLogger(logger: Logger, { team, task }: TaskCall): Logger {
  return { log: (level, message, fields) => logger.log(level, message, { ...fields, team, task }) };
}

/** Only the observer gets the parent span: the run keeps the ids of the whole run. */
function placedObserver(observer: RunObserver, { team, task, parent }: TaskCall): RunObserver {
  return { begin: (run) => observer.begin({ ...run, team, task, context: { ...run.context, ...parent } }) };
}

/** The steps of one task. */
interface TaskSteps {
  readonly steps: DurableSteps;
  /**
   * The first failure of the store itself, which an agent's run turns into a failed result like any other: the task is then not done, and
   * the caller must be told.
   */
  failure(): StorageError | UnfinishedStepError | undefined;
}

/** Steps that name their team and task when a person has to decide about one. */
export function taskSteps(steps: DurableSteps, place: { readonly team: string; readonly task: string }): TaskSteps {
  let failure: StorageError | UnfinishedStepError | undefined;
  const placed = (inner: DurableSteps): DurableSteps => ({
    async step(name, work, options = {}) {
      const { once } = options;
      try {
        return await inner.step(name, work, { ...options, ...(once && { once: { describe: () => ({ ...once.describe(), ...place }) } }) });
      } catch (error) {
        if (error instanceof UnfinishedStepError || error instanceof StorageError) failure ??= error;
        throw error;
      }
    },
    scope: (name, beside) => placed(inner.scope(name, beside)),
    ...(inner.earlier && { earlier: inner.earlier }),
  });
  return { steps: placed(steps), failure: () => failure };
}
