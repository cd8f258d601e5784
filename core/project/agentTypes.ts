import type { AgentEvent, FinalEvent, RunError, RunResult } from '../agent/events.js';
import type { Json } from '../json.js';

/**
 * The agents of a project and their types, by `name` (the newest version) and by `name@version`. Empty here: `agent-stack types` writes a file that
 * adds those of a project.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the file that `agent-stack types` writes extends it by declaration merging.
export interface ProjectAgents {}

/** What is known of an agent that is named. */
export type AgentTypes<Name extends string, Version extends string | undefined> =
  AgentKey<Name, Version> extends keyof ProjectAgents
    ? ProjectAgents[AgentKey<Name, Version>]
    : { readonly payload: unknown; readonly output: Json };

type AgentKey<Name extends string, Version extends string | undefined> = [Version] extends [string] ? `${Name}@${Version}` : Name;

/** Names of agents; an editor proposes those that are known. */
export type AgentName = Exclude<keyof ProjectAgents, `${string}@${string}`> | (string & {});

/** An object with these keys, and maybe others; interfaces will do too. */
export type Open<Keys> = Keys | (Keys & { readonly [key: string]: unknown });

/** The orchestrations of a project and their types, by name. Empty here, as `ProjectAgents` is. */
// biome-ignore lint/suspicious/noEmptyInterface: the file that `agent-stack types` writes extends it by declaration merging.
export interface ProjectOrchestrations {}

/** What is known of an orchestration that is named. */
export type OrchestrationTypes<Name extends string> = Name extends keyof ProjectOrchestrations
  ? ProjectOrchestrations[Name]
  : { readonly input: object; readonly output: Json };

/** Names of orchestrations; an editor proposes those that are known. */
export type OrchestrationName = keyof ProjectOrchestrations | (string & {});

/** What a task came to, in the output of an orchestration. One without an output_schema has its text. */
export type TaskOutcome<Output = Json> =
  | { readonly status: 'completed'; readonly output: Output; readonly error: null }
  | { readonly status: 'partial' | 'failed' | 'cancelled'; readonly output: Json; readonly error: RunError | null };

/** A result by its `status`: completed with the output, or not, with the error. What a run had by its end it keeps in any case. */
export type ProjectResult<Output = Json> = Omit<RunResult, 'status' | 'success' | 'output' | 'error'> &
  (
    | { readonly status: 'completed'; readonly success: true; readonly output: Output; readonly error: null }
    | { readonly status: 'partial'; readonly success: false; readonly output: Json; readonly error: RunError }
    | { readonly status: 'failed' | 'cancelled'; readonly success: false; readonly output: Json; readonly error: RunError }
  );

/** An event of a run; that with `final` has the result. */
export type ProjectEvent<Output = Json> =
  | Exclude<AgentEvent, { readonly final: true }>
  | (Omit<FinalEvent, 'result'> & { readonly result: ProjectResult<Output> });
