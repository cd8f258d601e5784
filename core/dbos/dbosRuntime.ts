import type { RunObserver } from '../agent/observeRun.js';
import type { ProjectSettings } from '../config/projectSettings.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import type { Ports } from '../ports.js';
import type { OwnTools } from '../project/ownTools.js';
import type { ResolveInput } from '../tools/mcp/resolveServer.js';
import type { TrustedTools } from '../tools/openTools.js';
import type { SharedClient } from './sharedClient.js';

/** Common options of submitters and workers. Separate from the engine's public types, which name no type of DBOS or pg. */
export interface DbosRuntime {
  /** Absolute path of the project. */
  readonly root: string;
  readonly ports: Ports;
  readonly environment_name: string | undefined;
  readonly providers: readonly LlmProvider[];
  /** The tools in code, by the current settings. */
  readonly ownTools: (settings: ProjectSettings) => Promise<OwnTools>;
  readonly resolveInput: ResolveInput;
  readonly trusted: TrustedTools | undefined;
  readonly observer: RunObserver | undefined;
  readonly database_url: string;
  /** For all runs that this process submits and follows. */
  readonly client: SharedClient;
  readonly onNotice: ((notice: string | undefined) => void) | undefined;
}
