import type { ToolOrigin } from '../config/toolChoice.js';
import type { ToolLabels } from '../generated/types.js';
import type { Json, JsonObject } from '../json.js';
import type { ToolDefinition } from '../llm/types.js';
import type { Logger } from '../ports.js';
import type { RunContext } from '../runContext.js';

export type { ToolOrigin } from '../config/toolChoice.js';

/** A tool that an agent may call while it runs. */
export interface Tool extends ToolDefinition {
  /** Inputs that show how it is used; they go into the prompt. */
  readonly examples?: readonly JsonObject[];
  /** Whether a second call with the same input is harmless: only such a tool is retried. */
  readonly idempotent: boolean;
  /** Whether it changes anything outside. */
  readonly side_effects: boolean;
  /** What it does, for policies. Default: unknown. */
  readonly labels?: ToolLabels;
  /** Tools that run first if they are called in the same turn. */
  readonly dependencies?: readonly string[];
  readonly origin: ToolOrigin;
  /** Whether each call needs approval. */
  readonly needs_approval: boolean;
  /** Longest time of one call, in ms. Default: the run's remaining time. */
  readonly timeout_ms?: number;
  /**
   * One call. `input` matches `parameters`. A failure is an outcome with `is_error`, or is thrown: the model gets both. Only a thrown
   * DeniedError, ReplayMismatchError or StorageError ends the run. A call whose signal has aborted is no longer awaited.
   */
  call(input: JsonObject, context: ToolContext): Promise<ToolOutcome>;
}

/** The run that calls a tool. */
export interface ToolContext {
  readonly run_id: string;
  readonly step: number;
  /** Id of the tool use that this call answers, the same in every attempt. */
  readonly call_id?: string;
  readonly run: RunContext;
  readonly signal: AbortSignal;
  /** Logs with the run and the step. */
  readonly logger: Logger;
}

export interface ToolOutcome {
  /** For the model. */
  readonly content: string;
  /** The result as a value, for the trace. Default: `content`. */
  readonly value?: Json;
  readonly is_error?: boolean;
  /**
   * With `is_error`: whether the same call may succeed in an immediate retry, as after a lost connection. Default false; a thrown error counts as
   * true, unless it is an AgentStackError that says otherwise. Only idempotent tools are retried.
   */
  readonly can_retry?: boolean;
  readonly hints?: ToolHints;
  /** Retrieved documents, returned as `source_documents` of the run. */
  readonly documents?: readonly SourceDocument[];
}

/** A tool's hints about its result, for the loop. */
export interface ToolHints {
  readonly source_quality?: 'high' | 'medium' | 'low' | 'unknown';
  /** How long an identical call would give the same result, in ms: the result is reused until then. */
  readonly validity_period_ms?: number;
  readonly risk_factors?: readonly string[];
  /** Tools whose results this one depends on: from now on they run first if called in the same turn. */
  readonly dependencies?: readonly string[];
  /** Impact of acting on it, 0 to 1. */
  readonly estimated_impact?: number;
}

/** A document that a run has read. */
export interface SourceDocument {
  /** Unique in its source: a project path, or the tool's name for it. */
  readonly id: string;
  readonly title?: string;
  readonly uri?: string;
  readonly text?: string;
  readonly metadata?: JsonObject;
}

/** The tools of one run. */
export interface ToolSet {
  readonly tools: readonly Tool[];
  /** Ends everything that they started. Safe to call again. */
  close(): Promise<void>;
}

/**
 * Creates the tools of one run, and connects their servers. Called once, after the config is frozen.
 * @throws ToolExecutionError if a server cannot be reached, DeniedError if one must not be started, or the signal's reason
 */
export type OpenTools = (run: {
  readonly run_id: string;
  readonly context: RunContext;
  readonly signal: AbortSignal;
  /** Logs with the run. Default: the logger of the ports. */
  readonly logger?: Logger;
}) => Promise<ToolSet>;

/** Why a policy concerns a call. */
export interface PolicyReason {
  /** The assertion, and the way of the data from its source to the call: `never untrusted -> sends: web/fetch (untrusted) -> A -> mail/send`. */
  readonly words: string;
  /** Where the assertion is written: `config/system.json#/policy/never/0`. */
  readonly place: string;
  /** False where labels are missing, so that the call may be harmless. */
  readonly isSure: boolean;
}

/** What a tool does, by its labels. */
export interface ToolDeeds {
  readonly labels: readonly ('private' | 'untrusted' | 'sends' | 'changes' | 'destroys' | 'runs_code')[];
  /** False where nobody has given some or all labels. */
  readonly isWhole: boolean;
}

/** A call that needs approval. */
export interface ToolRequest {
  readonly run_id: string;
  /** The calling agent. For a persona that is used as a task: the name of the task, and its `persona_key`. */
  readonly agent_name: string;
  readonly agent_version: string;
  /** Its place in the run of an orchestration. */
  readonly team?: string;
  readonly task?: string;
  /** The model's name for the tool. */
  readonly name: string;
  /** Id of the tool use that needs it. */
  readonly call_id?: string;
  readonly input: JsonObject;
  readonly tool: Tool;
  /** What an approval grants. Absent where the labels are not known here. */
  readonly deeds?: ToolDeeds;
  /** Set if a policy wants this very call approved: whatever allows the tool otherwise does not count, and the answer holds for no other call. */
  readonly policy?: PolicyReason;
  readonly signal: AbortSignal;
}

/**
 * Asks the user to approve a call. After `deny`, the model is informed and the run continues.
 * @throws DeniedError to end the run, with the next step
 */
export type ApproveTool = (request: ToolRequest) => Promise<'allow' | 'deny'>;

/** A resource of a server. */
export interface McpResource {
  readonly client_id: string;
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mime_type?: string;
}

/** A prompt of a server. */
export interface McpPrompt {
  readonly client_id: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

/** Resources and prompts of a run's MCP servers, filtered like tools. Failures are thrown, or outcomes with `is_error`. */
export interface McpResources {
  resources(signal: AbortSignal): Promise<readonly McpResource[]>;
  prompts(signal: AbortSignal): Promise<readonly McpPrompt[]>;
  /** The contents of a resource, which becomes a document. */
  read(resource: Pick<McpResource, 'client_id' | 'uri'>, signal: AbortSignal): Promise<ToolOutcome>;
  /** The messages of a prompt as text. */
  prompt(
    prompt: { readonly client_id: string; readonly name: string; readonly arguments: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<ToolOutcome>;
}
