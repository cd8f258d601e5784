import type { ToolOrigin } from '../config/toolChoice.js';
import type { Json, JsonObject } from '../json.js';
import type { ToolDefinition } from '../llm/types.js';
import type { Logger } from '../ports.js';
import type { RunContext } from '../runContext.js';

export type { ToolOrigin } from '../config/toolChoice.js';

/** Something an agent may call while it runs. */
export interface Tool extends ToolDefinition {
  /** Inputs that show how it is used; they go into the prompt. */
  readonly examples?: readonly JsonObject[];
  /** Whether a second call with the same input does no harm: only such a tool is tried again. */
  readonly idempotent: boolean;
  /** Whether it changes anything outside. */
  readonly side_effects: boolean;
  /** Tools that go first when they are asked for in the same turn. */
  readonly dependencies?: readonly string[];
  readonly origin: ToolOrigin;
  /** Whether each call has to be approved. */
  readonly needs_approval: boolean;
  /** Longest time of one call, in ms. Default: the time the run has left. */
  readonly timeout_ms?: number;
  /**
   * One call. `input` meets `parameters`. What goes wrong is an outcome with `is_error`, or is thrown: both are told to the model. Only
   * a thrown DeniedError, ReplayMismatchError or StorageError ends the run.
   * A call whose signal is aborted is not awaited any longer.
   */
  call(input: JsonObject, context: ToolContext): Promise<ToolOutcome>;
}

/** What a tool knows of the run that calls it. */
export interface ToolContext {
  readonly run_id: string;
  readonly step: number;
  /** Id of the tool use this call answers, the same in every try. */
  readonly call_id?: string;
  readonly run: RunContext;
  readonly signal: AbortSignal;
  /** Its lines name the run and the step. */
  readonly logger: Logger;
}

export interface ToolOutcome {
  /** For the model. */
  readonly content: string;
  /** The result as a value, for the trace. Default: `content`. */
  readonly value?: Json;
  readonly is_error?: boolean;
  /**
   * With `is_error`: whether the same call may succeed when it is tried again at once, as after a lost connection. Default false; what
   * is thrown counts as true, but for errors of ours that say otherwise. Only idempotent tools are tried again.
   */
  readonly can_retry?: boolean;
  readonly hints?: ToolHints;
  /** Documents that were retrieved; they come back as `source_documents` of the run. */
  readonly documents?: readonly SourceDocument[];
}

/** What a tool says about its own result; the loop uses it. */
export interface ToolHints {
  readonly source_quality?: 'high' | 'medium' | 'low' | 'unknown';
  /** How long an identical call gives the same result, in ms: within it the result is used again. */
  readonly validity_period_ms?: number;
  readonly risk_factors?: readonly string[];
  /** Tools whose results this one rests on: from now on they go first when asked for in the same turn. */
  readonly dependencies?: readonly string[];
  /** How much acting on it would change, 0 to 1. */
  readonly estimated_impact?: number;
}

/** A document a run has looked at. */
export interface SourceDocument {
  /** Unique in its source: a project path, or what the tool calls it. */
  readonly id: string;
  readonly title?: string;
  readonly uri?: string;
  readonly text?: string;
  readonly metadata?: JsonObject;
}

/** The tools of one run. */
export interface ToolSet {
  readonly tools: readonly Tool[];
  /** Ends everything that was started for them. Safe to call again. */
  close(): Promise<void>;
}

/**
 * Makes the tools of one run, connecting what must be connected. Called once, after the config is frozen.
 * @throws ToolExecutionError when a server cannot be had, DeniedError when one may not be started, or the signal's reason
 */
export type OpenTools = (run: {
  readonly run_id: string;
  readonly context: RunContext;
  readonly signal: AbortSignal;
  /** Its lines name the run. Default: that of the ports the tools are made with. */
  readonly logger?: Logger;
}) => Promise<ToolSet>;

/** A call that has to be approved. */
export interface ToolRequest {
  readonly run_id: string;
  /** The agent that asks. Of a persona that does a task: the name of the task, and its `persona_key`. */
  readonly agent_name: string;
  readonly agent_version: string;
  /** Where it asks in the run of an orchestration. */
  readonly team?: string;
  readonly task?: string;
  /** Of the tool, as the model calls it. */
  readonly name: string;
  readonly input: JsonObject;
  /** What is known of the tool. */
  readonly tool: Tool;
  readonly signal: AbortSignal;
}

/**
 * Asks the user to approve a call. `deny` is told to the model, and the run goes on.
 * @throws DeniedError to end the run, with what to do
 */
export type ApproveTool = (request: ToolRequest) => Promise<'allow' | 'deny'>;

/** A resource that a server offers. */
export interface McpResource {
  readonly client_id: string;
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mime_type?: string;
}

/** A prompt that a server offers. */
export interface McpPrompt {
  readonly client_id: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

/** What the MCP servers of a run offer beside tools, filtered as tools are. What goes wrong is thrown, or an outcome with `is_error`. */
export interface McpResources {
  resources(signal: AbortSignal): Promise<readonly McpResource[]>;
  prompts(signal: AbortSignal): Promise<readonly McpPrompt[]>;
  /** Its contents, with the resource as a document. */
  read(resource: Pick<McpResource, 'client_id' | 'uri'>, signal: AbortSignal): Promise<ToolOutcome>;
  /** Its messages as text. */
  prompt(
    prompt: { readonly client_id: string; readonly name: string; readonly arguments: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<ToolOutcome>;
}
