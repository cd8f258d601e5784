import type { Severity } from '../finding.js';
import type { ToolLabels } from '../generated/types.js';
import type { JsonObject } from '../json.js';

/** A user's entry for a model in `agentstack.json`; extends and overrides the built-in table. */
export interface UserModel {
  readonly context_window?: number;
  readonly max_output_tokens?: number;
  /** Request parameters that the model rejects, by their config names: `temperature`, `top_p`, `max_output_tokens`. */
  readonly unsupported?: readonly string[];
  readonly deprecated?: boolean | string;
  /** The first day on which the provider no longer answers it, `2026-12-11`. */
  readonly ends?: string;
  /** The model to move to. */
  readonly successor?: string;
  /** USD per million tokens. */
  readonly price?: { readonly input?: number; readonly output?: number; readonly cached_input?: number; readonly cache_write?: number };
}

/** A skill that an embedder registers under a name; `agentstack.json` declares it, so that configs can name it. */
export interface DeclaredSkill {
  readonly description: string;
  /** JSON Schema of its input. Default: an object with any content. */
  readonly parameters?: JsonObject;
  readonly examples?: readonly JsonObject[];
  /** Default false. */
  readonly idempotent?: boolean;
  /** Default true. */
  readonly side_effects?: boolean;
  /** What it does. Default: unknown. */
  readonly labels?: ToolLabels;
  /** Whether each call needs approval. Default: unknown. */
  readonly needs_approval?: boolean;
}

/** `agentstack.json` at the project root; every field has a default, the file is optional. */
export interface ProjectSettings {
  /** Whether there is no agentstack.json: then a file in one of our places has to show that it is ours. */
  readonly needs_marks: boolean;
  /** Whether what other tools have in the folder is checked as well. Default true. */
  readonly other_tools: boolean;
  /** Default `config`. */
  readonly config_dir: string;
  /** Default `dev`. */
  readonly environment: string;
  /** The one of agentstack.json, where another is checked. */
  readonly default_environment?: string;
  readonly rules: Readonly<Record<string, Severity | 'off'>>;
  readonly models: Readonly<Record<string, UserModel>>;
  readonly skills: Readonly<Record<string, DeclaredSkill>>;
  /** Names of providers that programs register. Default: none. */
  readonly providers: readonly string[];
  /** Project path of the module whose tools agents may enable, `./tools/index.mjs`. Default: no module. */
  readonly tools?: string;
  /** Names of the environment variables that the process of that module gets in addition to those that every program gets. Default: none. */
  readonly tools_env?: readonly string[];
  /** Project path of the folder whose recordings answer in place of the offline provider. Default: none. */
  readonly recordings?: string;
  /** Tokens that worst cases assume for input from outside. Default 2,000. */
  readonly assumed_input_tokens?: number;
}
