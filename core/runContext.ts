import { InputInvalidError, type Issue } from './errors.js';
import { type JsonObject, pointerOf } from './json.js';
import { didYouMean, nearestNames } from './names.js';

/** The cause and context of a run, which reach every tool call, span and log line. */
export interface RunContext {
  readonly user_id?: string;
  readonly session_id?: string;
  /** Name of the case that it runs with: `payloads/{agent}/{case}.json`. The run list shows it; nothing else depends on it. */
  readonly case?: string;
  /** Set by `project.fork`: the run or the record whose answers it took, and the first request that it made itself. */
  readonly forked_from?: ForkOrigin;
  /** Default: the run's own id. */
  readonly correlation_id: string;
  /** Default: the run's own id. 32 lower-case hexadecimal digits if it came from a caller's trace. */
  readonly trace_id: string;
  /** The caller's span in that trace, the parent of the run's: 16 lower-case hexadecimal digits. */
  readonly parent_span_id?: string;
  /** Whether the caller's trace is recorded. With `parent_span_id` it applies to the run too; without it, the agent's `tracing.sample_rate` does. */
  readonly trace_sampled?: boolean;
  /** ISO 8601, the time of the run's request. */
  readonly timestamp: string;
  readonly budget?: {
    /** USD. */
    readonly max_cost?: number;
    readonly max_time_ms?: number;
    /** Allows models with unknown prices, for which `max_cost`, also that of an agent, cannot be enforced. Default: such a run is refused. */
    readonly allow_unpriced?: boolean;
  };
  readonly metadata?: JsonObject;
}

/** Where a fork left the run that it is of. */
export interface ForkOrigin {
  /** Of a kept run. */
  readonly run_id?: string;
  /** Path of a record. */
  readonly record?: string;
  /** As in a record: `{execution}/{team}/{task}`, empty for the run of an agent. */
  readonly place: string;
  /** Number of the first model call at that place that no record answered. */
  readonly model_call: number;
}

/** The valid values of each field of a budget. */
const budgetFields: Readonly<Record<keyof NonNullable<RunContext['budget']>, (value: unknown) => string | undefined>> = {
  max_cost: amountFault,
  max_time_ms: amountFault,
  allow_unpriced: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
};

function amountFault(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? undefined : 'must be a number of at least 0';
}

/** An invalid limit would not limit anything. @throws InputInvalidError */
export function checkRunBudget(context: Partial<RunContext> | undefined): void {
  const budget: unknown = context?.budget;
  if (budget === undefined) return;
  if (typeof budget !== 'object' || budget === null || Array.isArray(budget)) {
    throw new InputInvalidError('The budget of the run must be an object such as {"max_cost": 0.05}.', [
      { path: '/budget', keyword: 'type', message: 'must be an object' },
    ]);
  }
  const issues = Object.entries(budget).flatMap(([name, value]): Issue[] => {
    const path = pointerOf('budget', name);
    if (!Object.hasOwn(budgetFields, name)) {
      const message = `is not a limit.${didYouMean(nearestNames(name, Object.keys(budgetFields)))}`;
      return [{ path, keyword: 'additionalProperties', message }];
    }
    const fault = value === undefined ? undefined : budgetFields[name as keyof typeof budgetFields](value);
    return fault === undefined ? [] : [{ path, keyword: 'type', message: `${fault}, not ${String(value)}` }];
  });
  const [first] = issues;
  if (first !== undefined) throw new InputInvalidError(`The budget of the run is not valid: ${first.path} ${first.message}`, issues);
}

/** The fields of a run's context that come from a caller's trace. */
export type TraceContext = Required<Pick<RunContext, 'trace_id' | 'parent_span_id' | 'trace_sampled'>>;

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * A `traceparent` header or `TRACEPARENT` variable (W3C Trace Context) as fields of a run's context. Undefined if it is malformed, as the
 * recommendation requires: the run then begins a new trace.
 */
export function readTraceparent(text: string): TraceContext | undefined {
  const [, version, trace_id, parent_span_id, flags, rest] = pattern.exec(text.trim()) ?? [];
  if (version === undefined || trace_id === undefined || parent_span_id === undefined || flags === undefined) return undefined;
  // Version 00 has exactly four fields; later ones may add some. ff is not a version.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (!isTraceId(trace_id) || /^0+$/.test(parent_span_id)) return undefined;
  return { trace_id, parent_span_id, trace_sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Whether an id is valid for a trace: 32 lower-case hexadecimal digits, not all zero. */
export function isTraceId(id: string): boolean {
  return /^[0-9a-f]{32}$/.test(id) && !/^0+$/.test(id);
}

/**
 * Whether a trace of this id is recorded at a rate from 0 to 1. The id alone decides, by its last 56 bits, which are random in every trace id
 * (OpenTelemetry's consistent probability sampling): every process that samples a trace at the same rate decides alike.
 */
export function isSampled(traceId: string, rate: number): boolean {
  if (rate >= 1) return true;
  // 52 of the 56 bits: as many as a number holds exactly.
  const random = Number.parseInt(traceId.slice(-14, -1), 16);
  return random >= (1 - rate) * 2 ** 52;
}
