import { describe, expect, test } from 'vitest';
import { readTelemetrySettings } from '../../core/telemetry/settings.js';

const read = (variables: Readonly<Record<string, string>>) => readTelemetrySettings({ get: (name) => variables[name] });
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('what the environment asks for', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['no variable', {}],
    ['empty variables', { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: ' ' }],
    ['a disabled SDK', { ...endpoint, OTEL_SDK_DISABLED: 'True' }],
    ['no exporters', { ...endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
    ['a name alone', { OTEL_SERVICE_NAME: 'triage' }],
  ])('%s exports nothing', (_, variables) => expect(read(variables)).toBeUndefined());

  test('one endpoint is that of both signals', () => {
    const settings = read(endpoint);
    expect(settings?.traces).toEqual({ url: 'http://collector:4318/v1/traces', headers: {}, timeout_ms: 10_000, compression: 'none' });
    expect(settings?.metrics).toMatchObject({ url: 'http://collector:4318/v1/metrics', interval_ms: 60_000, temporality: 'cumulative' });
    expect(settings?.resource).toEqual({ 'service.name': 'agent-stack' });
    expect(settings).toMatchObject({ captureContent: false, problems: [] });
  });

  test('an exporter without an endpoint sends to this machine', () => {
    const settings = read({ OTEL_TRACES_EXPORTER: 'otlp' });
    expect(settings?.traces?.url).toBe('http://localhost:4318/v1/traces');
    expect(settings?.metrics).toBeUndefined();
  });

  test('what a signal has of its own goes first', () => {
    const settings = read({
      ...endpoint,
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://other/in',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
      OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '500',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b=%C3%A4,=x,broken=%E4,nothing',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'a=2',
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'Delta',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
    });
    expect(settings?.traces).toMatchObject({ timeout_ms: 2000, headers: { a: '1', b: 'ä' } });
    expect(settings?.metrics).toEqual({
      url: 'https://other/in',
      timeout_ms: 500,
      headers: { a: '2', b: 'ä' },
      compression: 'none',
      interval_ms: 1000,
      temporality: 'delta',
    });
  });

  test('the name of the service goes before the one among the resource attributes', () => {
    const variables = { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,deployment.environment.name=prod' };
    expect(read(variables)?.resource).toEqual({ 'service.name': 'a', 'deployment.environment.name': 'prod' });
    expect(read({ ...variables, OTEL_SERVICE_NAME: 'b' })?.resource).toMatchObject({ 'service.name': 'b' });
  });

  test.each(['true', 'TRUE', 'span_only', 'SPAN_AND_EVENT'])('texts are captured with %s', (value) =>
    expect(read({ ...endpoint, OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: value })?.captureContent).toBe(true),
  );

  test.each(['false', '1', 'event_only', 'no_content'])('texts are not captured with %s', (value) =>
    expect(read({ ...endpoint, OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: value })?.captureContent).toBe(false),
  );

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['gRPC', { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /gRPC is not supported/],
    ['an exporter there is not', { OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER names no exporter/],
    ['an endpoint that is not an address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /not an http or https address/],
    ['a time that is none', { ...endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, /OTEL_EXPORTER_OTLP_TIMEOUT is "soon"/],
  ])('%s is said', (_, variables, words) => expect(read(variables)?.problems.join(' ')).toMatch(words));

  test('HTTP with protobuf is sent as JSON, which the same port takes', () =>
    expect(read({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' })).toMatchObject({
      problems: [],
      traces: { timeout_ms: 10_000 },
    }));
});
