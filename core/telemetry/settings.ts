import type { Environment } from '../ports.js';
import { trimEnd } from '../words.js';

/** The destination of one signal. */
export interface SignalSettings {
  /** The whole address of the collector's receiver, `/v1/traces` or `/v1/metrics` included. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Longest time for one batch, retries and delays included. */
  readonly timeout_ms: number;
  readonly compression: 'gzip' | 'none';
}

/** The settings in the `OTEL_*` variables. */
export interface TelemetrySettings {
  /** Undefined if the signal is not exported. */
  readonly traces: SignalSettings | undefined;
  readonly metrics: (SignalSettings & { readonly interval_ms: number; readonly temporality: 'cumulative' | 'delta' }) | undefined;
  /** Attributes of the process: `OTEL_RESOURCE_ATTRIBUTES`, and `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  readonly captureContent: boolean;
  /** Invalid values, described for the log. */
  readonly problems: readonly string[];
}

/** Whether message texts may go into spans: the variable shared by OpenTelemetry's GenAI instrumentations. */
export function capturesContent(environment: Environment): boolean {
  return /^(true|span_only|span_and_event)$/i.test(environment.get('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT') ?? '');
}

/**
 * Reads the variables of OpenTelemetry's SDK and OTLP exporter specifications. Undefined if nothing is to be exported: no endpoint is set and
 * no exporter is named, both signals are `none`, or `OTEL_SDK_DISABLED` is true. An empty variable counts as unset.
 */
export function readTelemetrySettings(environment: Environment): TelemetrySettings | undefined {
  const get = (name: string) => environment.get(name)?.trim() || undefined;
  if (get('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const problems: string[] = [];
  const number = (name: string, lowest: number, otherwise: number): number => {
    const text = get(name);
    if (text === undefined) return otherwise;
    const value = Number(text);
    if (Number.isFinite(value) && value >= lowest) return value;
    problems.push(`${name} is ${JSON.stringify(text)}, which is not a number from ${lowest} on; ${otherwise} is used.`);
    return otherwise;
  };

  const signal = (kind: 'traces' | 'metrics'): SignalSettings | undefined => {
    const KIND = kind.toUpperCase();
    const own = (name: string) => get(`OTEL_EXPORTER_OTLP_${KIND}_${name}`) ?? get(`OTEL_EXPORTER_OTLP_${name}`);
    const exporters = get(`OTEL_${KIND}_EXPORTER`)
      ?.split(',')
      .map((each) => each.trim());
    if (exporters && !exporters.includes('otlp')) {
      if (!exporters.includes('none')) problems.push(`OTEL_${KIND}_EXPORTER names no exporter there is here. Use otlp or none.`);
      return undefined;
    }
    const whole = get(`OTEL_EXPORTER_OTLP_${KIND}_ENDPOINT`);
    const base = get('OTEL_EXPORTER_OTLP_ENDPOINT') ?? (exporters && 'http://localhost:4318');
    const address = whole ?? (base === undefined ? undefined : `${trimEnd(base, '/')}/v1/${kind}`);
    if (address === undefined) return undefined;
    if (own('PROTOCOL') === 'grpc') {
      problems.push(
        `OTLP over gRPC is not supported, so no ${kind} are exported. Set OTEL_EXPORTER_OTLP_PROTOCOL to http/json, and the port (usually 4318).`,
      );
      return undefined;
    }
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
      problems.push(`The OTLP endpoint of the ${kind} is not an http or https address, so none are exported.`);
      return undefined;
    }
    const named =
      own('TIMEOUT') === get(`OTEL_EXPORTER_OTLP_${KIND}_TIMEOUT`) ? `OTEL_EXPORTER_OTLP_${KIND}_TIMEOUT` : 'OTEL_EXPORTER_OTLP_TIMEOUT';
    return {
      url: address,
      headers: { ...readPairs(get('OTEL_EXPORTER_OTLP_HEADERS')), ...readPairs(get(`OTEL_EXPORTER_OTLP_${KIND}_HEADERS`)) },
      timeout_ms: number(named, 1, 10_000),
      compression: own('COMPRESSION') === 'gzip' ? 'gzip' : 'none',
    };
  };

  const traces = signal('traces');
  const metrics = signal('metrics');
  if (!traces && !metrics && problems.length === 0) return undefined;
  return {
    traces,
    metrics: metrics && {
      ...metrics,
      interval_ms: number('OTEL_METRIC_EXPORT_INTERVAL', 1, 60_000),
      temporality: /^(delta|lowmemory)$/i.test(get('OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE') ?? '') ? 'delta' : 'cumulative',
    },
    resource: {
      'service.name': 'agent-stack',
      ...readPairs(get('OTEL_RESOURCE_ATTRIBUTES')),
      ...(get('OTEL_SERVICE_NAME') && { 'service.name': get('OTEL_SERVICE_NAME') as string }),
    },
    captureContent: capturesContent(environment),
    problems,
  };
}

/** `key=value,key=value`, values percent-encoded; a pair without a key or with an invalid percent code is left out. */
function readPairs(text: string | undefined): Record<string, string> {
  const pairs: [string, string][] = [];
  for (const pair of text?.split(',') ?? []) {
    const at = pair.indexOf('=');
    const key = pair.slice(0, Math.max(0, at)).trim();
    if (key === '') continue;
    try {
      pairs.push([decodeURIComponent(key), decodeURIComponent(pair.slice(at + 1).trim())]);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
    }
  }
  return Object.fromEntries(pairs);
}
