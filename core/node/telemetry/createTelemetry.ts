import type { OrchestrationWatch, RunObserver, RunWatch } from '../../agent/observeRun.js';
import type { Environment } from '../../ports.js';
import type { ExportedTelemetry, ExportPorts } from './exportTelemetry.js';
import { readTelemetrySettings } from './settings.js';

/** Longest time `flush` takes, in ms; shorter where the environment gives batches less. */
const flushLimit = 2000;

/**
 * What exports runs over OTLP when the environment asks for it (see `readTelemetrySettings`), else undefined. OpenTelemetry is loaded with the
 * first run.
 */
export function createTelemetry(environment: Environment, ports: ExportPorts): RunObserver | undefined {
  const settings = readTelemetrySettings(environment);
  if (!settings) return undefined;
  for (const problem of settings.problems) ports.logger.log('warn', problem);
  if (!settings.traces && !settings.metrics) return undefined;
  let loading: Promise<Loaded> | undefined;
  const load = async (): Promise<Loaded> => {
    const [{ exportTelemetry }, { watchRun }, { watchOrchestration }] = await Promise.all([
      import('./exportTelemetry.js'),
      import('./watchRun.js'),
      import('./watchOrchestration.js'),
    ]);
    return { telemetry: exportTelemetry(settings, ports), watchRun, watchOrchestration };
  };
  return {
    async begin(run): Promise<RunWatch> {
      loading ??= load();
      const { telemetry, watchRun } = await loading;
      return watchRun(telemetry, run);
    },
    async beginOrchestration(run): Promise<OrchestrationWatch> {
      loading ??= load();
      const { telemetry, watchOrchestration } = await loading;
      return watchOrchestration(telemetry, run);
    },
    async refused({ error, metadata }) {
      loading ??= load();
      const { instruments } = (await loading).telemetry;
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

interface Loaded {
  readonly telemetry: ExportedTelemetry;
  readonly watchRun: typeof import('./watchRun.js').watchRun;
  readonly watchOrchestration: typeof import('./watchOrchestration.js').watchOrchestration;
}
