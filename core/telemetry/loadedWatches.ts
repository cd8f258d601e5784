import type { RunObserver } from '../agent/observeRun.js';
import type { Telemetry } from './types.js';

/** The parts that are loaded with the first run. */
export interface Loaded<Of extends Telemetry = Telemetry> {
  readonly telemetry: Of;
  readonly watchRun: typeof import('./watchRun.js').watchRun;
  readonly watchOrchestration: typeof import('./watchOrchestration.js').watchOrchestration;
}

/** Watches of runs and orchestrations. @param load called for each, but must load only once */
export function loadedWatches(load: () => Promise<Loaded>): Pick<RunObserver, 'begin' | 'beginOrchestration'> {
  return {
    async begin(run) {
      const { telemetry, watchRun } = await load();
      return watchRun(telemetry, run);
    },
    async beginOrchestration(run) {
      const { telemetry, watchOrchestration } = await load();
      return watchOrchestration(telemetry, run);
    },
  };
}
