import type { KnownSecrets, Logger } from '../../ports.js';
import type { Catalog } from './catalog.js';
import type { RunExposed } from './runExposed.js';

/** What every protocol is served from. */
export interface Served {
  /** Of the project, for people: the name of its folder. */
  readonly name: string;
  /** Of Agent Stack. */
  readonly version: string;
  readonly catalog: Catalog;
  readonly run: RunExposed;
  /** Done when no run is under way. */
  settled(): Promise<void>;
  /** Whether the prompts of the project are offered too. */
  readonly prompts: boolean;
  readonly logger: Logger;
  readonly knownSecrets: KnownSecrets | undefined;
  /** Aborts when the server is to end, and every run with it. */
  readonly signal: AbortSignal;
}
