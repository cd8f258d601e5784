import { type Context, context, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import { isTraceId, type RunContext } from '../runContext.js';

/** The caller's span in another process, as named by a run's context; undefined if the context names none. */
export function remoteParent({ trace_id, parent_span_id, trace_sampled = true }: Partial<RunContext>): Context | undefined {
  if (trace_id === undefined || parent_span_id === undefined || !isTraceId(trace_id)) return undefined;
  const traceFlags = trace_sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId: trace_id, spanId: parent_span_id, traceFlags, isRemote: true });
}

/** The context that is active when a run begins, in programs that have one. */
export function activeContext(): Context {
  return context.active();
}
