import type { ProjectIndex } from '../config/projectIndex.js';
import type { Policy } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import type { Environment } from '../ports.js';
import type { AgentTools } from './agentTools.js';
import type { EffectiveAgent, EffectiveLlm, LayerProblem, Origin } from './effective.js';
import type { Fragment, TaskSource } from './layering.js';
import type { OriginSource } from './origins.js';

export interface ResolveRequest {
  /** For a task that runs a persona: the name of the task. */
  readonly agent_name: string;
  /** For a task that runs a persona: the key of the persona. */
  readonly version: string;
  /** Absent for a task that runs a persona. */
  readonly file?: AgentSource | undefined;
  /** The task that the agent runs in. At least one of `file` and `task` is set. */
  readonly task?: TaskSource | undefined;
  readonly project: ProjectIndex;
  /** Default: the project's. */
  readonly environment_name?: string;
  readonly variables: Environment;
  readonly overrides?: CallOverrides;
}

/** Project path of an agent file and its value without `$schema` and `$ignore`. */
export interface AgentSource {
  readonly path: string;
  readonly value: JsonObject;
}

/** Call overrides: agent fields, highest layer; `llm` applies that whole profile as call overrides. */
export interface CallOverrides {
  readonly llm?: string;
  readonly config?: JsonObject;
}

/** The policy that holds in an environment. */
export interface LayeredPolicy {
  /** Deeply frozen. */
  readonly policy: Policy;
  /** The origin of each assertion: of `/never/0`, `/only_after_approval/0` and `/agents/{name}/may_not/0`, by pointer in the policy. */
  readonly origins: ReadonlyMap<string, Origin>;
}

export interface ResolvedAgent extends AgentTools {
  readonly config: EffectiveAgent;
  readonly llm: EffectiveLlm;
  /** Origin by leaf pointer in `config`; empty objects and arrays are leaves. `/template` and `/few_shot_examples/...` are in the prompt file. */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly llm_origins: ReadonlyMap<string, Origin>;
  /** The sources of the origins. Absent for an agent that was read back from a snapshot. */
  readonly sources?: { readonly config: OriginSource; readonly llm: OriginSource };
  /** Empty if the config can run. */
  readonly problems: readonly LayerProblem[];
  /** Files read, lowest layer first. */
  readonly files: readonly string[];
  readonly environment_name: string;
  /** The values of every layer, lowest first. Empty for an agent read back from a snapshot, which knows only the deciding layer. */
  readonly layers: readonly Fragment[];
  /** The entries of agentstack.json for its model, under every name by which the model is looked up. May be empty. */
  readonly models: JsonObject;
  /** The policy of its environment; absent if nothing is asserted. */
  readonly policy?: LayeredPolicy;
}
