import type { AgentEvent, FinalEvent, RunError, RunResult } from '../agent/events.js';
import type { Json } from '../json.js';

/**
 * The agents of a project and their types, by `name` (the newest version) and by `name@version`. Empty here: the file that `agent-stack types`
 * writes adds those of a project.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the file that `agent-stack types` writes extends it by declaration merging.
export interface ProjectAgents {}

/** The types of an agent by its name. */
export type AgentTypes<Name extends string, Version extends string | undefined> =
  AgentKey<Name, Version> extends keyof ProjectAgents
    ? ProjectAgents[AgentKey<Name, Version>]
    : { readonly payload: unknown; readonly output: Json };

type AgentKey<Name extends string, Version extends string | undefined> = [Version] extends [string] ? `${Name}@${Version}` : Name;

/** Names of agents; editors complete the known ones. */
export type AgentName = Exclude<keyof ProjectAgents, `${string}@${string}`> | (string & {});

/** An object with at least these keys; interfaces are allowed. */
export type Open<Keys> = Keys | (Keys & { readonly [key: string]: unknown });

/** The orchestrations of a project and their types, by name. Empty here, like `ProjectAgents`. */
// biome-ignore lint/suspicious/noEmptyInterface: the file that `agent-stack types` writes extends it by declaration merging.
export interface ProjectOrchestrations {}

/** The types of an orchestration by its name. */
export type OrchestrationTypes<Name extends string> = Name extends keyof ProjectOrchestrations
  ? ProjectOrchestrations[Name]
  : { readonly input: object; readonly output: Json };

/** Names of orchestrations; editors complete the known ones. */
export type OrchestrationName = keyof ProjectOrchestrations | (string & {});

/** The outcome of a task in the output of an orchestration. Without an output_schema, its output is a text. */
export type TaskOutcome<Output = Json> =
  | { readonly status: 'completed'; readonly output: Output; readonly error: null }
  | { readonly status: 'partial' | 'failed' | 'cancelled'; readonly output: Json; readonly error: RunError | null };

/** A result by its `status`: completed with the output, or not, with the error and the output so far. */
export type ProjectResult<Output = Json> = Omit<RunResult, 'status' | 'success' | 'output' | 'error'> &
  (
    | { readonly status: 'completed'; readonly success: true; readonly output: Output; readonly error: null }
    | { readonly status: 'partial'; readonly success: false; readonly output: Json; readonly error: RunError }
    | { readonly status: 'failed' | 'cancelled'; readonly success: false; readonly output: Json; readonly error: RunError }
  );

/** An event of a run; the `final` one has the result. */
export type ProjectEvent<Output = Json> =
  | Exclude<AgentEvent, { readonly final: true }>
  | (Omit<FinalEvent, 'result'> & { readonly result: ProjectResult<Output> });
