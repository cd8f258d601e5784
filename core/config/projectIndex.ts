import type { ToolLabels } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import type { ConfigFile } from './configFile.js';
import type { ProjectSettings } from './projectSettings.js';

/** What can be referred to: a file, an MCP server (`mcp`), a team or a task of an orchestration. */
export type ReferenceKind = Kind | 'team' | 'task';

/** One file naming another: `"llm_config_id": "openai"` in an agent is `{kind: 'llm', id: 'openai', pointer: '/llm_config_id'}`. */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly id: string;
  readonly file: string;
  readonly pointer: string;
}

/**
 * The known facts about all files of a project, without their trees: names and paths of every kind, and the values
 * of the few that are layered under others (system, environments, llms, personas, prompts, mcp.json, mcp.lock.json). Read-only for rules.
 */
export interface ProjectIndex {
  readonly settings: ProjectSettings;
  /** agentstack.json as it was read for a run; undefined if there is none. */
  readonly settingsFile?: ConfigFile | undefined;
  /** What code registers in addition to the files. */
  readonly registered: Registered;
  /** Ids of a kind to project paths, in natural order of the id. Agents and prompts: `name@version`. */
  ids(kind: Kind): ReadonlyMap<string, string>;
  /** The parsed value (without `$schema`, `$ignore`) of a system, environment, llm, persona, prompt, mcp or lock file that is valid JSON. The id of `system.json` is `system`, of `environments/dev.json` is `dev`. */
  value(kind: 'system' | 'llm' | 'persona' | 'prompt' | 'mcp' | 'lock', id: string): JsonObject | undefined;
  /**
   * The names of a payload's cases, as verdicts write them (`caseNamesOf`). Undefined if the file has not been read, or is not an object.
   */
  cases(payload: string): ReadonlySet<string> | undefined;
  /** Changes whenever a value may have changed, so that results derived from values can be cached until then. */
  readonly revision: number;
  /** Versions of an agent, oldest first in natural order (`v2` before `v10`). */
  versions(agentName: string): readonly string[];
  /** Places that refer to this; empty if there are none. Complete only if `complete` is true. */
  referencesTo(kind: ReferenceKind, id: string): readonly Reference[];
  /** Paths of the other files of this kind with the same id, letter case aside; empty for nearly every id. @param path of the file itself */
  twins(kind: Kind, id: string, path: string): readonly string[];
  /** Whether every file that may refer to others has been read and understood: rules about absence (`unused-llm`) stay silent otherwise. */
  readonly complete: boolean;
}

/** A tool as code registers it. */
interface RegisteredTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly parameters: JsonObject;
  readonly examples?: readonly JsonObject[];
  readonly idempotent: boolean;
  readonly side_effects: boolean;
  /** Whether each call needs approval. Default: unknown. */
  readonly needs_approval?: boolean;
  readonly labels?: ToolLabels;
}

/** What code registers for the configs of a project: the program that opens it, and the module that agentstack.json names under `tools`. */
export interface Registered {
  readonly tools: readonly RegisteredTool[];
  /** Names of the providers that the program registers. */
  readonly providers: readonly string[];
  /** Whether that module has been loaded. Until then, any name may be that of one of its tools. */
  readonly isModuleLoaded: boolean;
  /** Why it could not be loaded. */
  readonly moduleProblem?: string;
  /** The message that it was not loaded because the project is not trusted, and how to trust it. */
  readonly moduleUnseen?: string;
}

export const nothingRegistered: Registered = Object.freeze({
  tools: Object.freeze([]),
  providers: Object.freeze([]),
  isModuleLoaded: false,
});
