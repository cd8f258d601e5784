import type { ProjectIndex } from '../config/projectIndex.js';
import type { JsonObject } from '../json.js';
import type { Environment } from '../ports.js';
import type { EffectiveAgent, EffectiveLlm, LayerProblem, Origin } from './effective.js';

export interface ResolveRequest {
  readonly agent_name: string;
  readonly version: string;
  /** Project path of the agent file and its value without `$schema` and `$ignore`. */
  readonly file: { readonly path: string; readonly value: JsonObject };
  readonly project: ProjectIndex;
  /** Default: the project's. */
  readonly environment_name?: string;
  readonly variables: Environment;
  readonly overrides?: CallOverrides;
}

/** Call overrides: agent fields, highest layer; `llm` applies that whole profile as call overrides. */
export interface CallOverrides {
  readonly llm?: string;
  readonly config?: JsonObject;
}

export interface ResolvedAgent {
  readonly config: EffectiveAgent;
  readonly llm: EffectiveLlm;
  /** Leaf pointer in `config` (empty objects and arrays are leaves) to its origin; `/template` and `/few_shot_examples/...` point into the prompt file. */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly llm_origins: ReadonlyMap<string, Origin>;
  /** Empty when the config can run. */
  readonly problems: readonly LayerProblem[];
  /** Files looked at, lowest layer first. */
  readonly files: readonly string[];
  readonly environment_name: string;
}
