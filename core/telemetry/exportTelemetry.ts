import { type Context, ROOT_CONTEXT } from '@opentelemetry/api';
import { JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { AggregationTemporality, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
} from '@opentelemetry/sdk-trace-base';
import type { Ports } from '../ports.js';
import { isSampled, isTraceId } from '../runContext.js';
import { schemaUrl } from './attributes.js';
import { createInstruments } from './instruments.js';
import { createOtlpSender, type OtlpSender } from './otlpSender.js';
import { remoteParent } from './parents.js';
import type { SignalSettings, TelemetrySettings } from './settings.js';
import type { PlacedRun, Telemetry, TraceSource } from './types.js';

export type ExportPorts = Pick<Ports, 'clock' | 'fetch' | 'random' | 'logger'>;

export interface ExportedTelemetry extends Telemetry {
  /** Sends pending data; gives up after `limit_ms`. Never rejects. */
  flush(limit_ms: number): Promise<void>;
}

const scope = ['agent-stack', process.env.AGENT_STACK_VERSION, { schemaUrl }] as const;

/** Telemetry that goes to an OTLP collector in batches. A batch that is not accepted is dropped; this is logged once until one is accepted again. */
export function exportTelemetry(settings: TelemetrySettings, ports: ExportPorts): ExportedTelemetry {
  const { clock, random } = ports;
  // Each process is a separate source: without an id, the counts of two processes would look like one that jumps.
  const resource = defaultResource().merge(resourceFromAttributes({ 'service.instance.id': random.id(), ...settings.resource }));
  const senders: OtlpSender[] = [];
  const exporter = <Batch>(kind: string, signal: SignalSettings, serialize: (batch: Batch) => Uint8Array | undefined) => {
    const sender = createOtlpSender(signal, ports);
    senders.push(sender);
    return batchExporter(kind, signal.url, sender, serialize, ports);
  };

  let traces: (TraceSource & { forceFlush(): Promise<void> }) | undefined;
  if (settings.traces) {
    const ids = createIds();
    const provider = new BasicTracerProvider({
      resource,
      sampler: new AlwaysOnSampler(),
      idGenerator: ids,
      spanProcessors: [new BatchSpanProcessor(exporter('traces', settings.traces, (spans) => JsonTraceSerializer.serializeRequest(spans)))],
    });
    traces = {
      tracer: provider.getTracer(...scope),
      place: (run, run_id) => placeInTrace(run, run_id, ids),
      forceFlush: () => provider.forceFlush(),
    };
  }

  let meters: MeterProvider | undefined;
  if (settings.metrics) {
    const { interval_ms, temporality } = settings.metrics;
    const aggregation = temporality === 'delta' ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
    meters = new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: {
            ...exporter('metrics', settings.metrics, (metrics) => JsonMetricsSerializer.serializeRequest(metrics)),
            selectAggregationTemporality: () => aggregation,
          },
          exportIntervalMillis: interval_ms,
          exportTimeoutMillis: Math.min(interval_ms, settings.metrics.timeout_ms),
        }),
      ],
    });
  }

  return {
    traces,
    instruments: meters && createInstruments(meters.getMeter(...scope)),
    captureContent: settings.captureContent,
    clock,
    async flush(limit_ms) {
      for (const sender of senders) sender.hurry(true);
      const cancel = clock.after(limit_ms, () => {
        for (const sender of senders) sender.abort();
      });
      // The exporter has already logged failures.
      await Promise.allSettled([traces?.forceFlush(), meters?.forceFlush()]);
      cancel();
      for (const sender of senders) sender.hurry(false);
    },
  };
}

/** A trace gets the run's trace id, so that it can be found by the id in the result. */
function placeInTrace(
  { context, sampleRate }: PlacedRun,
  run_id: string,
  ids: TraceIds,
): { readonly parent: Context; readonly isRecorded: boolean } {
  const { trace_id, trace_sampled = true } = context;
  const parent = remoteParent(context);
  if (parent) return { parent, isRecorded: trace_sampled };
  ids.next = trace_id !== undefined && isTraceId(trace_id) ? trace_id : run_id;
  return { parent: ROOT_CONTEXT, isRecorded: isSampled(ids.next, sampleRate) };
}

interface TraceIds extends IdGenerator {
  /** Id of the next trace. */
  next: string | undefined;
}

function createIds(): TraceIds {
  const random = new RandomIdGenerator();
  return {
    next: undefined,
    generateSpanId: () => random.generateSpanId(),
    generateTraceId() {
      const id = this.next ?? random.generateTraceId();
      this.next = undefined;
      return id;
    },
  };
}

function batchExporter<Batch>(
  kind: string,
  url: string,
  sender: OtlpSender,
  serialize: (batch: Batch) => Uint8Array | undefined,
  { logger }: ExportPorts,
) {
  let isFailing = false;
  const { origin, pathname } = new URL(url);
  const under = new Set<Promise<void>>();
  const send = async (batch: Batch, done: (result: { code: number }) => void): Promise<void> => {
    let code = 0;
    try {
      const body = serialize(batch);
      if (body) await sender.send(body);
      isFailing = false;
    } catch (error) {
      code = 1;
      const reason = error instanceof Error ? error.message : String(error);
      if (!isFailing) logger.log('warn', `${kind} could not be exported`, { collector: origin + pathname, reason });
      isFailing = true;
    }
    done({ code });
  };
  return {
    export(batch: Batch, done: (result: { code: number }) => void): void {
      const sending = send(batch, done).finally(() => under.delete(sending));
      under.add(sending);
    },
    forceFlush: async (): Promise<void> => void (await Promise.allSettled(under)),
    shutdown: async (): Promise<void> => sender.abort(),
  };
}
