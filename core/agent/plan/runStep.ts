import { loopLimits } from '../../config/defaults.js';
import type { PlanStep } from '../../generated/types.js';
import type { Json } from '../../json.js';
import { backOff } from '../../llm/retry.js';
import { usageBetween } from '../../llm/tokenUsage.js';
import type { TokenUsage } from '../../llm/types.js';
import { toTemplateText } from '../../prompt/template.js';
import { cut } from '../../words.js';
import type { EventBody, RunError } from '../events.js';
import { toRunError } from '../runResult.js';
import type { AskedCall } from '../runTrace.js';
import { stopAtFinding } from '../stopAtFinding.js';
import type { Turn } from '../turn.js';
import { agentStep } from './agentStep.js';
import { llmStep } from './llmStep.js';
import type { PlanRun } from './planRun.js';
import * as words from './planWords.js';
import { skillStep } from './skillStep.js';
import { type Execution, endsRun, type Gain, mayPass, type StepWork, stepFailed } from './stepWork.js';

/** One step of a plan, with its condition, repetitions and attempts. @throws PlanStepError if its failure ends the plan */
export async function* runStep(run: PlanRun, step: PlanStep): AsyncGenerator<EventBody, void, undefined> {
  const { when, repeat } = step;
  run.turn.signal.throwIfAborted();
  const judged = when && run.judge(when);
  if (judged?.matches === false) {
    yield* skip(run, step, judged.notes);
    return;
  }
  const rounds = repeat?.max ?? 1;
  for (let round = 1; round <= rounds; round += 1) {
    const isOver = yield* runRound(run, step, round);
    if (isOver) return;
  }
}

/** One of the repetitions, with all its attempts. True if the step has ended. */
async function* runRound(run: PlanRun, step: PlanStep, round: number): AsyncGenerator<EventBody, boolean, undefined> {
  const { record, request } = run.turn;
  const { name, repeat, on_error = 'fail', retries = 1 } = step;
  const tries = on_error === 'retry' ? 1 + retries : 1;
  for (let attempt = 1; ; attempt += 1) {
    const number = run.nextNumber();
    run.step = name;
    const steps = run.nextScope(name);
    const thought = words.thoughtOf(step, { round, attempt, tries });
    record.trace.begin(number);
    record.trace.thought(thought);
    yield { type: 'step_start', step: number, plan_step: step.name };

    const tried = yield* tryOnce(run, step, { number, steps });
    const { failure } = tried;
    run.ended(name, failure ? { status: 'failed' } : { status: 'completed', output: tried.output });
    const isTriedAgain = failure !== undefined && attempt < tries && mayPass(failure.problem);
    const endsPlan = failure !== undefined && !isTriedAgain && on_error !== 'continue';
    const judged = isTriedAgain || endsPlan ? undefined : repeat && run.judge(repeat.until);
    const observation = [
      failure ? words.failed(failure.problem.message) : cut(toTemplateText(tried.output), loopLimits.observation),
      ...(isTriedAgain ? ['It is tried again.'] : []),
      ...(failure && on_error === 'continue' ? ['The plan goes on without its output.'] : []),
      ...words.untilOf(step, judged, round),
    ].join('\n');
    if (tried.attemptedCall) record.trace.answered([{ ...tried, ...tried.attemptedCall, observation, is_error: failure !== undefined }]);
    else record.trace.end(observation);
    yield { type: 'step_end', step: number, plan_step: step.name, thought, observation, usage: tried.usage };

    if (failure && endsPlan) throw stepFailed(name, failure.cause);
    if (!failure || !isTriedAgain) return judged?.matches ?? true;
    const wait_ms = backOff(attempt, request.ports.random);
    const reason = failure.problem.message;
    if (request.gate) await stopAtFinding(run.turn, request.gate, number, { kind: 'retry', code: failure.problem.code, message: reason });
    yield { type: 'retry', attempt, wait_ms, reason };
    await wait(run.turn, `wait/${number}`, wait_ms);
  }
}

/** The outcome of one execution. */
interface Tried extends Gain {
  /** The call; undefined if the execution failed before it. */
  readonly attemptedCall: AskedCall | undefined;
  readonly failure?: { readonly cause: unknown; readonly problem: RunError };
}

/** @throws errors that end the run */
async function* tryOnce(run: PlanRun, step: PlanStep, execution: Omit<Execution, 'begin'>): AsyncGenerator<EventBody, Tried, undefined> {
  const { record, signal } = run.turn;
  const before = record.usage.tokens;
  let attemptedCall: Tried['attemptedCall'];
  const begin: Execution['begin'] = (tool, input, id) => {
    attemptedCall = { id, tool, input };
    record.trace.asked([attemptedCall]);
  };
  try {
    const gain = yield* work(run, step, { ...execution, begin });
    signal.throwIfAborted();
    return { ...gain, attemptedCall };
  } catch (cause) {
    signal.throwIfAborted();
    if (endsRun(cause)) throw cause;
    const problem = toRunError(cause);
    return {
      output: problem.message,
      usage: usageSince(before, record.usage.tokens),
      attemptedCall,
      failure: { cause, problem },
    };
  }
}

function work(run: PlanRun, step: PlanStep, execution: Execution): StepWork {
  const { skill, agent, llm, input } = step;
  const renderInput = (): Json => (input === undefined ? run.turn.request.payload : run.render(input));
  if (skill !== undefined) return skillStep(run, skill, renderInput, execution);
  if (agent !== undefined) return agentStep(run, agent, renderInput, execution);
  return llmStep(run, llm ?? '', execution);
}

async function* skip(run: PlanRun, step: PlanStep, notes: readonly string[]): AsyncGenerator<EventBody, void, undefined> {
  const { trace } = run.turn.record;
  const number = run.nextNumber();
  const thought = words.thoughtOf(step);
  const observation = words.skipped(notes);
  trace.begin(number);
  trace.thought(thought);
  yield { type: 'step_start', step: number, plan_step: step.name };
  trace.skipped += 1;
  trace.end(observation);
  run.ended(step.name, { status: 'skipped' });
  yield { type: 'step_end', step: number, plan_step: step.name, thought, observation, usage: null };
}

/** A resumed process does not repeat a wait that has ended. */
async function wait({ request, signal }: Turn, name: string, milliseconds: number): Promise<void> {
  const { ports, steps } = request;
  const sleep = async () => {
    await ports.clock.sleep(milliseconds, signal);
    return null;
  };
  await (steps ? steps.step(name, sleep) : sleep());
}

/** The usage of a failed step; null for none. */
function usageSince(before: TokenUsage, after: TokenUsage): TokenUsage | null {
  return before === after ? null : usageBetween(before, after);
}
