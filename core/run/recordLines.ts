import type { KeptChange, StopPlace } from '../agent/gate.js';
import {
  AgentStackError,
  BudgetExceededError,
  CancelledError,
  DeniedError,
  LlmError,
  type LlmFailureReason,
  RunTimeoutError,
  SecretMissingError,
  StorageError,
  ToolExecutionError,
} from '../errors.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { AssistantBlock, Completion, LlmRequest, Message, StreamPart } from '../llm/types.js';
import type { KnownSecrets } from '../ports.js';
import { coverText, coverValue } from '../secrets/coverValue.js';
import { coverSecrets } from '../secrets/secretPatterns.js';
import type { CallOverrides } from '../snapshot/types.js';
import type { Tool, ToolOutcome } from '../tools/types.js';

/** The first line of a record. */
export interface RecordHeader {
  readonly format: 1;
  readonly agent_name: string;
  readonly version: string;
  readonly snapshot_hash: string;
  /** The tools of the run, without their code. */
  readonly tools: readonly RecordedTool[];
  /** Whether a person approved tool calls. */
  readonly asks: boolean;
  /** Why the run had no tools. */
  readonly error?: RecordedError;
  /** The run's input, without secrets; absent in records of earlier versions. */
  readonly input?: JsonObject;
  /** The configuration that the call replaced; absent if it replaced nothing. */
  readonly overrides?: CallOverrides;
}

/**
 * The first line of the record of a run of several agents. `at` in every later line is the place of its agent in the run
 * (`{execution}/{team}/{task}` of a task, followed by `/{name}@{version}` of an agent that its plan calls), empty for the run itself.
 */
export interface TeamRecordHeader extends Pick<RecordHeader, 'snapshot_hash' | 'asks' | 'input' | 'overrides'> {
  readonly format: 2;
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  /** Null for an orchestration. */
  readonly version: string | null;
}

/** The start of an agent, with its tools. */
export interface OpenedAgent extends Pick<RecordHeader, 'agent_name' | 'version' | 'tools' | 'error'> {}

export type RecordedTool = Omit<Tool, 'call'>;

/** Each further line: a request to the outside, and its answer or error. */
export type RecordLine =
  | { readonly llm: { readonly request: JsonObject; readonly parts: readonly StreamPart[]; readonly error?: RecordedError } }
  | { readonly tool: RecordedCall }
  | {
      readonly approval: {
        readonly name: string;
        readonly input: JsonObject;
        readonly answer?: 'allow' | 'deny';
        readonly error?: RecordedError;
      };
    }
  | { readonly edit: StopPlace & { readonly change: KeptChange } }
  | { readonly session: { readonly session_id: string; readonly messages: readonly Message[] } }
  | { readonly end: { readonly status: string; readonly error: RecordedError | null } };

export interface RecordedCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly outcome?: ToolOutcome;
  readonly error?: RecordedError;
  /** The run stopped waiting for the call: it was cancelled or timed out. */
  readonly abandoned?: 'cancelled' | 'timeout';
}

export interface RecordedError {
  readonly code: string | null;
  readonly message: string;
  readonly reason?: LlmFailureReason;
  readonly status?: number;
  readonly attempts?: number;
  readonly recoverable?: boolean;
  readonly tool?: string;
}

/** A request as recorded: everything sent to the model, without secrets and without provider signatures. */
export function toRecordedRequest(request: LlmRequest, coverMessage: (message: Message) => Json = coveredMessage): JsonObject {
  const { model, messages, response_format, temperature, top_p, max_tokens, isBudgetLimit, tools, stop } = request;
  const options = { response_format, temperature, top_p, max_tokens, is_budget_limit: isBudgetLimit, tools, stop };
  // Through JSON, as when it is read: undefined values are left out.
  return { model, messages: messages.map(coverMessage), ...(coverValue(JSON.parse(JSON.stringify(options)) as Json) as JsonObject) };
}

export function coveredMessage(message: Message): Json {
  return coverValue(JSON.parse(JSON.stringify(message, withoutMarks)) as Json);
}

function withoutMarks(this: unknown, key: string, value: unknown): unknown {
  const isMark = key === 'signature' && isObject(this) && (this.type === 'thinking' || this.type === 'tool_use');
  return isMark ? undefined : value;
}

/** The parts of an answer without secrets, including secrets that span parts. */
export function toRecordedParts(parts: readonly StreamPart[], secrets: KnownSecrets | undefined): readonly StreamPart[] {
  const covered: StreamPart[] = [];
  for (let index = 0; index < parts.length; ) {
    const part = parts[index] as StreamPart;
    if (part.type !== 'text' && part.type !== 'thinking') {
      covered.push(part.type === 'completion' ? { type: 'completion', completion: coverCompletion(part.completion) } : part);
      index += 1;
      continue;
    }
    const texts: string[] = [];
    for (let next = parts[index]; next?.type === part.type; next = parts[index]) {
      texts.push(next.text);
      index += 1;
    }
    // Masking keeps the length, so the text can be split as before.
    const whole = coverText(texts.join(''), secrets);
    let at = 0;
    for (const { length } of texts) {
      covered.push({ type: part.type, text: whole.slice(at, at + length) });
      at += length;
    }
  }
  return covered;
}

function coverCompletion(completion: Completion): Completion {
  const { isRecorded: _again, ...answered } = completion;
  const { blocks, text } = answered;
  // Masking keeps the kind of each block.
  const plain = blocks && (coverValue(JSON.parse(JSON.stringify(blocks, withoutMarks)) as Json) as unknown as readonly AssistantBlock[]);
  return { ...answered, text: coverSecrets(text), ...(plain && { blocks: plain }) };
}

/** Plain JSON of a tool's outcome, without secrets. */
export function toRecordedOutcome(outcome: ToolOutcome): ToolOutcome {
  return coverValue(JSON.parse(JSON.stringify(outcome)) as Json) as unknown as ToolOutcome;
}

export function toRecordedTool({ call: _, ...tool }: Tool): RecordedTool {
  return tool;
}

export function toRecordedError(error: unknown): RecordedError {
  const message = coverSecrets(error instanceof Error ? error.message : String(error));
  if (!(error instanceof AgentStackError)) return { code: null, message };
  const { code, recoverable } = error;
  if (error instanceof LlmError) {
    const { reason, status, attempts } = error;
    return { code, message, recoverable, reason, attempts, ...(status !== undefined && { status }) };
  }
  return { code, message, recoverable, ...(error instanceof ToolExecutionError && { tool: error.tool }) };
}

/** The recorded error, as an instance of its class where the run depends on that. */
export function toError({ code, message, reason, status, attempts = 1, recoverable = false, tool = '' }: RecordedError): Error {
  switch (code) {
    case 'llm': {
      const error = new LlmError(reason ?? 'server', message, { status, recoverable });
      error.attempts = attempts;
      return error;
    }
    case 'timeout':
      return new RunTimeoutError(message);
    case 'cancelled':
      return new CancelledError(message);
    case 'denied':
      return new DeniedError(message);
    case 'tool-execution':
      return new ToolExecutionError(tool, message);
    case 'secret-missing':
      return new SecretMissingError(message);
    case 'budget-exceeded':
      return new BudgetExceededError(message);
    case 'storage':
      return new StorageError(message);
    default:
      return new Error(message);
  }
}
