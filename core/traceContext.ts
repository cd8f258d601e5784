import type { RunContext } from './runContext.js';

/** What a run takes over from a caller's trace. */
export type TraceContext = Required<Pick<RunContext, 'trace_id' | 'parent_span_id' | 'trace_sampled'>>;

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * A `traceparent` header or `TRACEPARENT` variable (W3C Trace Context) as fields of a run's context. Undefined when it is malformed, as the
 * recommendation wants: the run then begins a trace of its own.
 */
export function readTraceparent(text: string): TraceContext | undefined {
  const [, version, trace_id, parent_span_id, flags, rest] = pattern.exec(text.trim()) ?? [];
  if (version === undefined || trace_id === undefined || parent_span_id === undefined || flags === undefined) return undefined;
  // Version 00 has exactly four fields; later ones may add some. ff is not a version.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (!isTraceId(trace_id) || /^0+$/.test(parent_span_id)) return undefined;
  return { trace_id, parent_span_id, trace_sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Whether an id can be that of a trace: 32 lower-case hexadecimal digits, not all zero. */
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
