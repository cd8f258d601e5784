import type { Meter, Tracer } from '@opentelemetry/api';
import type { RunObserver } from '../agent/observeRun.js';
import type { Clock } from '../ports.js';
import { isSampled, isTraceId } from '../runContext.js';
import { type Loaded, loadedWatches } from '../telemetry/loadedWatches.js';
import type { Telemetry } from '../telemetry/types.js';
import { createNodeClock } from './nodePorts.js';

/** OpenTelemetry's `Tracer`; its types are not required of users who do not have them. */
export interface TracerLike {
  startSpan(name: string, options?: object, context?: object): object;
}

/** OpenTelemetry's `Meter`. */
export interface MeterLike {
  createHistogram(name: string, options?: object): object;
  createCounter(name: string, options?: object): object;
}

export interface ObserveWithTracerOptions {
  readonly tracer: TracerLike;
  readonly meter?: MeterLike;
  /** Whether message texts, tool inputs and results go into the spans too. Default false. */
  readonly captureContent?: boolean;
  readonly clock?: Clock;
}

/**
 * Watches runs with a program's own OpenTelemetry. The span of a run goes under the `parent_span_id` of its context, else under the span that is
 * active where the run begins; its trace id and its sampling are the tracer's. Runs that `tracing` turns off or does not sample are left out.
 */
export function observeWithTracer({
  tracer,
  meter,
  captureContent = false,
  clock = createNodeClock(),
}: ObserveWithTracerOptions): RunObserver {
  let loading: Promise<Loaded> | undefined;
  const load = async (): Promise<Loaded> => {
    const [{ watchRun }, { watchOrchestration }, { activeContext, remoteParent }, { createInstruments }] = await Promise.all([
      import('../telemetry/watchRun.js'),
      import('../telemetry/watchOrchestration.js'),
      import('../telemetry/parents.js'),
      import('../telemetry/instruments.js'),
    ]);
    const telemetry: Telemetry = {
      traces: {
        tracer: tracer as Tracer,
        place: ({ context, sampleRate }, run_id) => ({
          parent: remoteParent(context) ?? activeContext(),
          isRecorded:
            context.parent_span_id === undefined
              ? // Tasks of one orchestration share its trace id, and so its sampling decision.
                isSampled(context.trace_id !== undefined && isTraceId(context.trace_id) ? context.trace_id : run_id, sampleRate)
              : context.trace_sampled !== false,
        }),
      },
      instruments: meter && createInstruments(meter as Meter),
      captureContent,
      clock,
    };
    return { telemetry, watchRun, watchOrchestration };
  };
  return loadedWatches(() => {
    loading ??= load();
    return loading;
  });
}
