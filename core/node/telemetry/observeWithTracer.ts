import type { Meter, Tracer } from '@opentelemetry/api';
import type { RunObserver, RunWatch } from '../../agent/observeRun.js';
import type { Clock } from '../../ports.js';
import { isSampled } from '../../traceContext.js';
import { createNodeClock } from '../nodePorts.js';
import type { Telemetry } from './watchRun.js';

/** OpenTelemetry's `Tracer`; its types are not asked of those who have none. */
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
  /** Message texts, tool inputs and results go into the spans too. Default false. */
  readonly captureContent?: boolean;
  readonly clock?: Clock;
}

/**
 * Watches runs with a program's own OpenTelemetry. The span of a run goes under the `parent_span_id` of its context, else under the span that is
 * active where the run is begun; its trace id and its sampling are the tracer's. What an agent's `tracing` turns off, or does not sample, is left out.
 */
export function observeWithTracer({
  tracer,
  meter,
  captureContent = false,
  clock = createNodeClock(),
}: ObserveWithTracerOptions): RunObserver {
  let loading: Promise<{ telemetry: Telemetry; watchRun: typeof import('./watchRun.js').watchRun }> | undefined;
  const load = async () => {
    const [{ watchRun }, { activeContext, remoteParent }, { createInstruments }] = await Promise.all([
      import('./watchRun.js'),
      import('./parents.js'),
      import('./instruments.js'),
    ]);
    const telemetry: Telemetry = {
      traces: {
        tracer: tracer as Tracer,
        place: ({ agent, context }, run_id) => ({
          parent: remoteParent(context) ?? activeContext(),
          isRecorded:
            context.parent_span_id === undefined
              ? isSampled(run_id, agent.resolved.config.tracing.sample_rate)
              : context.trace_sampled !== false,
        }),
      },
      instruments: meter && createInstruments(meter as Meter),
      captureContent,
      clock,
    };
    return { telemetry, watchRun };
  };
  return {
    async begin(run): Promise<RunWatch> {
      loading ??= load();
      const { telemetry, watchRun } = await loading;
      return watchRun(telemetry, run);
    },
  };
}
