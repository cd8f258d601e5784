import { gunzipSync } from 'node:zlib';
import { startLoopbackHttp } from '../support/loopbackHttp.js';

/** An OTLP/JSON value as the test reads it: `{stringValue: 'x'}` is `'x'`. */
export type Plain = string | number | boolean | readonly Plain[] | undefined;

export interface SeenSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** Of OTLP: 1 internal, 3 client. */
  readonly kind: number;
  /** Of OTLP: 0 unset, 2 error. */
  readonly status: { readonly code: number; readonly message?: string };
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Readonly<Record<string, Plain>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, Plain>> }[];
}

export interface SeenPoint {
  readonly attributes: Readonly<Record<string, Plain>>;
  /** Of a counter its value, of a histogram its sum. */
  readonly value: number;
  readonly count: number;
}

export interface LoopbackCollector {
  readonly origin: string;
  readonly requests: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly text: string;
  }[];
  readonly spans: SeenSpan[];
  /** The points that came last, by the metric's name. */
  readonly metrics: Map<string, readonly SeenPoint[]>;
  readonly resource: Record<string, Plain>;
  close(): Promise<void>;
}

/** How the collector answers one request: a status, `hang` for no answer at all. */
export type Answer = number | 'hang';

/** An OpenTelemetry collector on 127.0.0.1 that keeps what it is sent. `answers` come first, then 200. */
export async function startLoopbackCollector(...answers: readonly Answer[]): Promise<LoopbackCollector> {
  const left = [...answers];
  const requests: LoopbackCollector['requests'] = [];
  const spans: SeenSpan[] = [];
  const metrics = new Map<string, readonly SeenPoint[]>();
  const resource: Record<string, Plain> = {};
  const http = await startLoopbackHttp((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const bytes = Buffer.concat(parts);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
      requests.push({ url: request.url ?? '', headers: request.headers, text });
      const answer = left.shift() ?? 200;
      if (answer === 'hang') return;
      if (answer === 200) keep(JSON.parse(text));
      response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
    });
  });

  function keep(body: OtlpBody): void {
    for (const each of [...(body.resourceSpans ?? []), ...(body.resourceMetrics ?? [])])
      Object.assign(resource, plainAttributes(each.resource.attributes));
    for (const { scopeSpans } of body.resourceSpans ?? []) for (const scope of scopeSpans) spans.push(...scope.spans.map(seenSpan));
    for (const { scopeMetrics } of body.resourceMetrics ?? []) {
      for (const { metrics: sent } of scopeMetrics) {
        for (const { name, sum, histogram } of sent) metrics.set(name, (sum ?? histogram)?.dataPoints.map(seenPoint) ?? []);
      }
    }
  }

  return { origin: http.origin, requests, spans, metrics, resource, close: () => http.close() };
}

interface OtlpBody {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Pair[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly resource: { readonly attributes: readonly Pair[] };
    readonly scopeMetrics: readonly { readonly metrics: readonly OtlpMetric[] }[];
  }[];
}

interface Pair {
  readonly key: string;
  readonly value: Value;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly Value[] };
}

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code: number; readonly message?: string };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Pair[];
  readonly events: readonly { readonly name: string; readonly attributes: readonly Pair[] }[];
}

interface OtlpMetric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly OtlpPoint[] };
  readonly histogram?: { readonly dataPoints: readonly OtlpPoint[] };
}

interface OtlpPoint {
  readonly attributes: readonly Pair[];
  readonly asDouble?: number;
  readonly asInt?: number | string;
  readonly sum?: number;
  readonly count?: number | string;
}

function seenSpan(span: OtlpSpan): SeenSpan {
  const { name, traceId, spanId, parentSpanId, kind, status, startTimeUnixNano, endTimeUnixNano, attributes, events } = span;
  return {
    name,
    traceId,
    spanId,
    parentSpanId,
    kind,
    status,
    start: BigInt(startTimeUnixNano),
    end: BigInt(endTimeUnixNano),
    attributes: plainAttributes(attributes),
    events: events.map((event) => ({ name: event.name, attributes: plainAttributes(event.attributes) })),
  };
}

function seenPoint({ attributes, asDouble, asInt, sum, count }: OtlpPoint): SeenPoint {
  return { attributes: plainAttributes(attributes), value: Number(asDouble ?? asInt ?? sum), count: Number(count ?? 1) };
}

function plainAttributes(pairs: readonly Pair[]): Record<string, Plain> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, plain(value)]));
}

function plain({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): Plain {
  if (arrayValue) return arrayValue.values.map(plain);
  return stringValue ?? boolValue ?? doubleValue ?? (intValue === undefined ? undefined : Number(intValue));
}
