import { AgentStackError, type ErrorCode } from './agentStackError.js';
import type { UnfinishedStep } from './durable.js';
import type { PlacedFinding } from './finding.js';
import type { Issue } from './generated/types.js';
import type { JsonObject } from './json.js';

export { AgentStackError, type ErrorCode } from './agentStackError.js';
export { LlmError, type LlmFailureReason } from './llmError.js';

/** No such agent, or no such version of it. */
export class UnknownAgentConfigError extends AgentStackError {
  override readonly name = 'UnknownAgentConfigError';
  readonly code = 'unknown-agent-config';
  readonly agent_name: string;
  readonly version: string | undefined;
  /** Agent names that look alike, best first. */
  readonly nearest: readonly string[];
  /** Versions this agent has, oldest first; empty when the agent itself is unknown. */
  readonly versions: readonly string[];

  constructor(
    message: string,
    fields: {
      agent_name: string;
      version?: string | undefined;
      nearest?: readonly string[];
      versions?: readonly string[];
      cause?: unknown;
    },
  ) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.agent_name = fields.agent_name;
    this.version = fields.version;
    this.nearest = fields.nearest ?? [];
    this.versions = fields.versions ?? [];
  }

  override get details(): JsonObject {
    return { agent_name: this.agent_name, version: this.version ?? null, nearest: this.nearest, versions: this.versions };
  }
}

/** No such orchestration. */
export class UnknownOrchestrationError extends AgentStackError {
  override readonly name = 'UnknownOrchestrationError';
  readonly code = 'unknown-agent-config';
  readonly orchestration: string;
  /** Names that look alike, best first. */
  readonly nearest: readonly string[];

  constructor(message: string, fields: { orchestration: string; nearest?: readonly string[]; cause?: unknown }) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.orchestration = fields.orchestration;
    this.nearest = fields.nearest ?? [];
  }

  override get details(): JsonObject {
    return { orchestration: this.orchestration, nearest: this.nearest };
  }
}

abstract class FindingsError extends AgentStackError {
  /** All findings of the stage that failed, in file order. */
  readonly findings: readonly PlacedFinding[];

  constructor(message: string, findings: readonly PlacedFinding[]) {
    super(message);
    this.findings = findings;
  }

  override get details(): JsonObject {
    return {
      findings: this.findings.map(({ file, line, column, code, message, pointer }) => ({ file, line, column, code, message, pointer })),
    };
  }
}

/** The file is not JSON (RFC 8259), or gives a key twice. */
export class ConfigSyntaxError extends FindingsError {
  override readonly name = 'ConfigSyntaxError';
  readonly code = 'config-syntax';
}

/** The file is JSON but not a valid config: schema, identity or a rule of severity error. */
export class ConfigInvalidError extends FindingsError {
  override readonly name = 'ConfigInvalidError';
  readonly code = 'config-invalid';
}

export type { Issue };

/** The payload is not an object, lacks a key of `input_keys`, or violates `input_schema`. */
export class InputInvalidError extends AgentStackError {
  override readonly name = 'InputInvalidError';
  readonly code = 'input-invalid';
  readonly issues: readonly Issue[];

  constructor(message: string, issues: readonly Issue[]) {
    super(message);
    this.issues = issues;
  }

  override get details(): JsonObject {
    return { issues: this.issues.map((issue) => ({ ...issue })) };
  }
}

/** The model's answer has no JSON object, or one that the output schema refuses. */
export class AgentPromptValidationError extends AgentStackError {
  override readonly name = 'AgentPromptValidationError';
  readonly code = 'output-invalid';
  override readonly recoverable = true;
  readonly issues: readonly Issue[];
  /** The raw answer. */
  readonly raw: string;

  constructor(message: string, issues: readonly Issue[], raw: string) {
    super(message);
    this.issues = issues;
    this.raw = raw;
  }

  override get details(): JsonObject {
    return { issues: this.issues.map((issue) => ({ ...issue })) };
  }
}

export class SecretMissingError extends AgentStackError {
  override readonly name = 'SecretMissingError';
  readonly code = 'secret-missing';
}

/** The whole run (`timeout_ms`) or one request took too long. */
export class RunTimeoutError extends AgentStackError {
  override readonly name = 'RunTimeoutError';
  readonly code = 'timeout';
  override readonly recoverable = true;
}

export class BudgetExceededError extends AgentStackError {
  override readonly name = 'BudgetExceededError';
  readonly code = 'budget-exceeded';
}

/** The model did not answer within `max_iterations`. */
export class MaxIterationsError extends AgentStackError {
  override readonly name = 'MaxIterationsError';
  readonly code = 'max-iterations';
}

/** Repeated replies that the loop cannot read. */
export class ParseError extends AgentStackError {
  override readonly name = 'ParseError';
  readonly code = 'parse';
  override readonly recoverable = true;
}

/** The tools of a run could not be opened, or one failed in a way that ends the run. The model gets the failures of single calls instead. */
export class ToolExecutionError extends AgentStackError {
  override readonly name = 'ToolExecutionError';
  readonly code = 'tool-execution';
  /** Name of the tool, or client id of the server. */
  readonly tool: string;

  constructor(tool: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.tool = tool;
  }

  override get details(): JsonObject {
    return { tool: this.tool };
  }
}

/** A failed step ended its plan: the code is that of its error, `details.step` its name. */
export class PlanStepError extends AgentStackError {
  override readonly name = 'PlanStepError';
  readonly code: ErrorCode;
  override readonly recoverable: boolean;
  readonly #details: JsonObject;

  constructor(code: ErrorCode, message: string, fields: { details: JsonObject; recoverable: boolean; cause?: unknown }) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = code;
    this.#details = fields.details;
    this.recoverable = fields.recoverable;
  }

  override get details(): JsonObject {
    return this.#details;
  }
}

/** The user, or the command line, denied something that the run needs. */
export class DeniedError extends AgentStackError {
  override readonly name = 'DeniedError';
  readonly code = 'denied';
}

/** A replayed run differs from its record. The message says where. */
export class ReplayMismatchError extends AgentStackError {
  override readonly name = 'ReplayMismatchError';
  readonly code = 'replay-mismatch';
  /** Each difference in words, e.g. `messages/1/content: "a" was recorded, now "b"`. */
  readonly differences: readonly string[];

  constructor(message: string, differences: readonly string[]) {
    super(message);
    this.differences = differences;
  }

  override get details(): JsonObject {
    return { differences: this.differences };
  }
}

/** An orchestration reached `max_total_teams` or a team its `max_recursion_depth`. */
export class RecursionLimitError extends AgentStackError {
  override readonly name = 'RecursionLimitError';
  readonly code = 'recursion-limit';
}

/** No routing rule of a team matched, and it has no default. */
export class NoRouteError extends AgentStackError {
  override readonly name = 'NoRouteError';
  readonly code = 'no-route';
}

/**
 * A resumed run reached a call that its process had begun and that must not be repeated without asking. The run can be resumed again with a
 * decision.
 */
export class UnfinishedStepError extends AgentStackError {
  override readonly name = 'UnfinishedStepError';
  readonly code = 'denied';
  override readonly recoverable = true;
  readonly unfinished: UnfinishedStep;

  constructor(message: string, unfinished: UnfinishedStep) {
    super(message);
    this.unfinished = unfinished;
  }

  override get details(): JsonObject {
    return { unfinished: this.unfinished as unknown as JsonObject };
  }
}

/** An unfinished call that a person decided to skip. Its caller treats it as failed. */
export class StepSkippedError extends AgentStackError {
  override readonly name = 'StepSkippedError';
  readonly code = 'tool-execution';
}

/** There is nothing to eval, or no such eval: a name matches no case, no case has "expect", an id is unknown. */
export class UnknownCaseError extends AgentStackError {
  override readonly name = 'UnknownCaseError';
  readonly code = 'input-invalid';
}

/** An unusable baseline: of another format, edited by hand, or missing. */
export class BaselineError extends AgentStackError {
  override readonly name = 'BaselineError';
  readonly code = 'input-invalid';
}

/** A run cannot be resumed: it does not exist, has ended, is held by another process, or too little of it was kept. */
export class ResumeError extends AgentStackError {
  override readonly name = 'ResumeError';
  readonly code = 'input-invalid';
  readonly run_id: string;

  constructor(run_id: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.run_id = run_id;
  }

  override get details(): JsonObject {
    return { run_id: this.run_id };
  }
}

export class CancelledError extends AgentStackError {
  override readonly name = 'CancelledError';
  readonly code = 'cancelled';
  override readonly recoverable = true;
}

/** The run folder could not be written: disk full, no permission. */
export class StorageError extends AgentStackError {
  override readonly name = 'StorageError';
  readonly code = 'storage';
  /** Id of an eval whose calls have been paid for: its stored results are not lost, and their cases do not run again. */
  readonly eval_id: string | undefined;

  constructor(message: string, { eval_id, ...options }: { readonly cause?: unknown; readonly eval_id?: string | undefined } = {}) {
    super(message, options);
    this.eval_id = eval_id;
  }

  override get details(): JsonObject | undefined {
    return this.eval_id === undefined ? undefined : { eval_id: this.eval_id };
  }
}
