import type { DurableSteps } from '../../durable.js';
import { AgentStackError, BudgetExceededError, CancelledError, type ErrorCode, PlanStepError } from '../../errors.js';
import type { Json } from '../../json.js';
import type { TokenUsage } from '../../llm/types.js';
import type { EventBody, RunError } from '../events.js';
import { toRunError } from '../runResult.js';
import type { TracedCall } from '../runTrace.js';

/** One execution of a step of a plan. */
export interface Execution {
  /** Number of the step in the run. */
  readonly number: number;
  readonly steps: DurableSteps | undefined;
  /** Reports the call, for a trace that is interrupted. Only tool calls have an id. */
  readonly begin: (tool: string, input: Json, id?: string) => void;
}

/** The output of a step. */
export interface Gain extends Pick<TracedCall, 'documents' | 'source_quality'> {
  readonly output: Json;
  readonly usage: TokenUsage | null;
}

/** Runs it, and yields its visible events. @throws AgentStackError if the step fails, or the whole run ends (`endsRun`) */
export type StepWork = AsyncGenerator<EventBody, Gain, undefined>;

const ending: ReadonlySet<ErrorCode> = new Set(['cancelled', 'denied', 'internal', 'replay-mismatch', 'storage']);
/** Errors that would occur again in a retry. */
const lasting: ReadonlySet<ErrorCode> = new Set(['config-invalid', 'input-invalid', 'recursion-limit', 'secret-missing']);

/** Whether an error ends the run regardless of `on_error`. An agent that used up its own budget is a step that failed. */
export function endsRun(error: unknown): boolean {
  return !(error instanceof AgentStackError) || error instanceof BudgetExceededError || ending.has(error.code);
}

/** Whether a retry may help. */
export function mayPass({ code }: RunError): boolean {
  return !lasting.has(code);
}

/** The error of a step whose agent failed. */
export function toStepError({ code, message, details = {}, recoverable }: RunError): AgentStackError {
  return code === 'cancelled' ? new CancelledError(message) : new PlanStepError(code, message, { details, recoverable });
}

/** The error that ends the plan: the failure, with the name of its step. */
export function stepFailed(step: string, cause: unknown): PlanStepError {
  const { code, message, details = {}, recoverable } = toRunError(cause);
  return new PlanStepError(code, `The step ${JSON.stringify(step)} of the plan failed: ${message}`, {
    details: { step, ...details },
    recoverable,
    cause,
  });
}
