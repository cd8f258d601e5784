import type { Attributes, Context, HrTime, Span, SpanKind, Tracer } from '@opentelemetry/api';
import type { RunContext } from '../agent/events.js';
import type { ObservedRun } from '../agent/observeRun.js';
import type { Clock } from '../ports.js';
import type { Instruments } from './instruments.js';

/** The destination of the telemetry of runs. */
export interface Telemetry {
  /** Undefined if no spans are wanted. */
  readonly traces: TraceSource | undefined;
  /** Undefined if no metrics are wanted. */
  readonly instruments: Instruments | undefined;
  readonly captureContent: boolean;
  readonly clock: Clock;
}

export interface TraceSource {
  readonly tracer: Tracer;
  /** Where the span of a run belongs, and whether it is recorded. `run_id`: its own, which may become its trace id. */
  place(run: PlacedRun, run_id: string): { readonly parent: Context; readonly isRecorded: boolean };
}

export interface PlacedRun {
  /** The context passed by the caller. */
  readonly context: Partial<RunContext>;
  /** 0 to 1, for runs that come without a sampling decision. */
  readonly sampleRate: number;
}

/** The shared state of the parts of one watched run. */
export interface WatchedRun {
  readonly telemetry: Telemetry;
  readonly run: ObservedRun;
  /** Now, in the form spans take. */
  time(): HrTime;
  /** Seconds from one time to another. */
  seconds(from: HrTime, to: HrTime): number;
  /** Starts a span below the run's; undefined while nothing is recorded. */
  startSpan(name: string, kind: SpanKind, attributes: Attributes, startTime?: HrTime): Span | undefined;
  /** The context of a span, for operations inside it. */
  inside(span: Span): Context;
}
