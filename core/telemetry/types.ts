import type { Attributes, Context, HrTime, Span, SpanKind, Tracer } from '@opentelemetry/api';
import type { RunContext } from '../agent/events.js';
import type { ObservedRun } from '../agent/observeRun.js';
import type { Clock } from '../ports.js';
import type { Instruments } from './instruments.js';

/** Where the telemetry of runs goes. */
export interface Telemetry {
  /** Undefined where no spans are wanted. */
  readonly traces: TraceSource | undefined;
  /** Undefined where no metrics are wanted. */
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
  /** What the caller gave. */
  readonly context: Partial<RunContext>;
  /** 0 to 1, of runs that bring no decision. */
  readonly sampleRate: number;
}

/** What the parts of one watched run share. */
export interface WatchedRun {
  readonly telemetry: Telemetry;
  readonly run: ObservedRun;
  /** Now, in the form spans take. */
  time(): HrTime;
  /** Seconds from one time to another. */
  seconds(from: HrTime, to: HrTime): number;
  /** Begins a span below the run's; undefined while nothing is recorded. */
  startSpan(name: string, kind: SpanKind, attributes: Attributes, startTime?: HrTime): Span | undefined;
  /** The context of a span, for what happens inside it. */
  inside(span: Span): Context;
}
