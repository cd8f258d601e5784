import type { Policy, RoutingRule } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import type { EffectiveAgent, EffectiveLlm } from './effective.js';

/** Everything a run reads. Schema of the file `effective_config_{hash}.json`, format 1. */
export interface SnapshotValue {
  readonly format: 1;
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  /** The agent's version; absent for an orchestration. */
  readonly version?: string;
  readonly environment: string;
  /**
   * By instance: for a single agent its name; for a task `{team}/{task}`; for an agent that a plan calls `{agent_name}@{version}`, as the
   * plans in a snapshot do.
   */
  readonly agents: { readonly [instance: string]: EffectiveAgent };
  /**
   * How each agent reaches its model: under `@` and its instance if that key exists, else under its `llm_config_id`. So agents of one profile
   * share an entry, except those that override the provider or the retries.
   */
  readonly llms: { readonly [id: string]: EffectiveLlm };
  /**
   * The agents' MCP servers by client id: definitions with placeholders as written, and `tools` (`{name: {description, parameters}}`) if the lock
   * pins them. With a policy the tools have their `labels` and `annotations` too.
   */
  readonly servers: JsonObject;
  /**
   * The built-in tools and skills that agents have, by name: `{description, parameters, examples?}`, with a policy `labels?` and `needs_approval?` too. Absent if there are
   * none.
   */
  readonly skills?: JsonObject;
  /** The entries of `agentstack.json` for the models the agents call, by name. Absent if there are none. */
  readonly models?: JsonObject;
  /** The policy that the run enforces. Absent if nothing is asserted. */
  readonly policy?: Policy;
  readonly orchestration?: FrozenOrchestration;
  /**
   * Pointer of an object to its keys, where their order has a meaning and is not the canonical one: prompts list the fields of an
   * output schema in the order they are written, which sorted keys would lose.
   */
  readonly key_order?: { readonly [pointer: string]: readonly string[] };
}

/** An orchestration after layering: limits effective, `${VAR}` expanded, references resolved. */
export interface FrozenOrchestration {
  readonly entry_team: string;
  readonly max_total_teams: number;
  readonly max_recursion_depth: number;
  readonly input_keys?: readonly string[];
  readonly input_schema?: JsonObject;
  /** The initial context, before the caller's input. In the snapshot of a team that is rerun: the context it runs with. */
  readonly context: JsonObject;
  readonly teams: { readonly [team: string]: FrozenTeam };
}

export interface FrozenTeam {
  readonly name: string;
  readonly max_recursion_depth?: number;
  readonly tasks: readonly FrozenTask[];
  readonly routing: { readonly rules?: readonly RoutingRule[]; readonly default?: string | null };
}

/** A task; its agent is `agents["{team}/{name}"]`, into which its own `config` went. */
export interface FrozenTask {
  readonly name: string;
  /** `name@version`, the version resolved. This or `persona_key`. */
  readonly agent?: string;
  readonly persona_key?: string;
  /** Template of the payload. Default: the context. */
  readonly input?: JsonObject | string;
  readonly depends_on?: readonly string[];
  /** Whether the run is `partial` if the task does not complete. Default: as `findUnmetTasks` decides. */
  readonly required?: boolean;
}

/** The key in `agents` of a task's agent. */
export function instanceOf(team: string, task: string): string {
  return `${team}/${task}`;
}
