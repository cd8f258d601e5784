import type { RoutingRule } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import type { EffectiveAgent, EffectiveLlm } from './effective.js';

/** What a run reads, and all it reads. Schema of the file `effective_config_{hash}.json`, format 1. */
export interface SnapshotValue {
  readonly format: 1;
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  /** Of an agent; absent for an orchestration. */
  readonly version?: string;
  readonly environment: string;
  /**
   * By instance: for a single agent its name; for a task `{team}/{task}`; for what a plan calls `{agent_name}@{version}`, the form in which the
   * plans in a snapshot name it.
   */
  readonly agents: { readonly [instance: string]: EffectiveAgent };
  /**
   * How each agent reaches its model: under `@` and its instance where that is there, else under its `llm_config_id`. So agents of one profile
   * share an entry, but for those that override provider or tries.
   */
  readonly llms: { readonly [id: string]: EffectiveLlm };
  /** The agents' MCP servers by client id: the definition with placeholders as written, and `tools` (`{name: {description, parameters}}`) where the lock pins them. */
  readonly servers: JsonObject;
  /** The built-in tools and skills that agents have, by name: `{description, parameters, examples?}`. Absent when there are none. */
  readonly skills?: JsonObject;
  /** What `agentstack.json` says of the models the agents call, by name. Absent when it says nothing of them. */
  readonly models?: JsonObject;
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
  /** What the context holds at the start, before what the caller gives. In the snapshot of a team that runs again: the context it runs with. */
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
  /** Whether the run is `partial` where it does not complete. Default: what `findUnmetTasks` says. */
  readonly required?: boolean;
}

/** Where in `agents` the agent of a task is. */
export function instanceOf(team: string, task: string): string {
  return `${team}/${task}`;
}
