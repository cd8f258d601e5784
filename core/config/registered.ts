import type { JsonObject } from '../json.js';

/** A tool as code registers it. */
export interface RegisteredTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly parameters: JsonObject;
  readonly examples?: readonly JsonObject[];
  readonly idempotent: boolean;
  readonly side_effects: boolean;
}

/** What code registers for the configs of a project: the program that opens it, and the module that agentstack.json names under `tools`. */
export interface Registered {
  readonly tools: readonly RegisteredTool[];
  /** Names of the program's own providers. */
  readonly providers: readonly string[];
  /** Whether that module has been loaded. While it has not, any name may be that of one of its tools. */
  readonly isModuleLoaded: boolean;
  /** Why it could not be loaded. */
  readonly moduleProblem?: string;
}

export const nothingRegistered: Registered = Object.freeze({
  tools: Object.freeze([]),
  providers: Object.freeze([]),
  isModuleLoaded: false,
});
