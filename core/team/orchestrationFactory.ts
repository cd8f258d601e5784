import { loadProjectIndex, type RegisteredFor } from '../config/loadProjectIndex.js';
import type { Ports } from '../ports.js';
import type { CallOverrides } from '../snapshot/types.js';
import { loadOrchestration } from './loadOrchestration.js';
import type { Orchestration } from './types.js';

export interface OrchestrationFactory {
  /**
   * A runnable orchestration: its file, the agents and personas of its tasks, the agents that their plans call, and everything they are layered
   * on, checked and frozen. `overrides` apply to every agent of it.
   * @throws UnknownOrchestrationError, ConfigSyntaxError, ConfigInvalidError
   */
  load(name: string, overrides?: CallOverrides): Promise<Orchestration>;
}

export interface OrchestrationFactoryOptions {
  readonly ports: Pick<Ports, 'files' | 'environment' | 'sha256'>;
  /** Which `environments/{name}.json` applies. Default: the project's. */
  readonly environment_name?: string;
  /** What code registers. Default: nothing. */
  readonly registered?: RegisteredFor;
}

/** Stateless: each call depends on its arguments and on the files at that moment. */
export function createOrchestrationFactory({ ports, environment_name, registered }: OrchestrationFactoryOptions): OrchestrationFactory {
  return {
    async load(name, overrides) {
      const project = await loadProjectIndex(ports.files, { registered });
      return (await loadOrchestration({ project, ports, name, environment_name, overrides })).orchestration;
    },
  };
}
