import type { RunObserver } from '../agent/observeRun.js';
import type { Environment, Ports } from '../ports.js';
import type { ExportedTelemetry, ExportPorts } from './exportTelemetry.js';
import { type Loaded, loadedWatches } from './loadedWatches.js';
import { readTelemetrySettings } from './settings.js';

/** Longest time `flush` takes, in ms; shorter if the environment sets a shorter time for batches. */
const flushLimit = 2000;

/** Headers that carry keys for collectors, by their vendors' names: `Authorization`, `DD-API-KEY`, `x-honeycomb-team`. */
const secretHeader = /auth|key|token|secret|team|license|cookie/i;
const scheme = /^[A-Za-z]+\s+/;

/**
 * Exports runs over OTLP if the environment requests it (see `readTelemetrySettings`), else undefined. OpenTelemetry is loaded with the
 * first run.
 */
export function createTelemetry(environment: Environment, ports: ExportPorts & Pick<Ports, 'knownSecrets'>): RunObserver | undefined {
  const settings = readTelemetrySettings(environment);
  if (!settings) return undefined;
  for (const { headers } of [settings.traces, settings.metrics].filter((signal) => signal !== undefined)) {
    for (const [name, value] of Object.entries(headers)) if (secretHeader.test(name)) ports.knownSecrets?.add(value.replace(scheme, ''));
  }
  for (const problem of settings.problems) ports.logger.log('warn', problem);
  if (!settings.traces && !settings.metrics) return undefined;
  let loading: Promise<Loaded<ExportedTelemetry>> | undefined;
  const load = async (): Promise<Loaded<ExportedTelemetry>> => {
    const [{ exportTelemetry }, { watchRun }, { watchOrchestration }] = await Promise.all([
      import('./exportTelemetry.js'),
      import('./watchRun.js'),
      import('./watchOrchestration.js'),
    ]);
    return { telemetry: exportTelemetry(settings, ports), watchRun, watchOrchestration };
  };
  const loadOnce = () => {
    loading ??= load();
    return loading;
  };
  return {
    ...loadedWatches(loadOnce),
    async refused({ error, metadata }) {
      const { instruments } = (await loadOnce()).telemetry;
      instruments?.run({
        'gen_ai.agent.name': metadata.agent_name,
        ...(metadata.agent_version !== null && { 'gen_ai.agent.version': metadata.agent_version }),
        'agent_stack.status': 'failed',
        'error.type': error?.code ?? '_OTHER',
      });
    },
    async flush() {
      if (!loading) return;
      const limit = Math.min(flushLimit, settings.traces?.timeout_ms ?? flushLimit, settings.metrics?.timeout_ms ?? flushLimit);
      await (await loading).telemetry.flush(limit);
    },
  };
}
