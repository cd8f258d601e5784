import { AgentStackError } from '../errors.js';
import type { Json } from '../json.js';
import { noUsage } from '../llm/tokenUsage.js';
import type { Ports } from '../ports.js';
import type { FinalEvent, ResultMetadata, RunContext, RunError, RunResult } from './events.js';
import { decisionOf } from './reasoning.js';
import type { Agent } from './types.js';

/** The value that later steps get from a run: its output, or its text if the agent has no output_schema; null for nothing. */
export function answerOf({ status, output, text }: RunResult): Json {
  return status === 'completed' && output === null && text !== '' ? text : output;
}

/** A result that says only that it failed. */
export const emptyResult = {
  success: false,
  status: 'failed',
  output: null,
  text: '',
  conversation: [],
  final_response: null,
  tool_uses_in_final_turn: [],
  tool_calls: [],
  source_documents: [],
} as const satisfies Partial<RunResult>;

/** The metadata of a run that did nothing. */
export const emptyMetadata = {
  execution_time_ms: 0,
  iterations: 0,
  tools_used: [],
  token_usage: noUsage,
  estimated_cost_usd: 0,
  snapshot_path: null,
  repairs: [],
  simulated: false,
  left_out: [],
} as const satisfies Partial<ResultMetadata>;

/** The result of an agent that was never called. */
export function refusedResult(agent: Agent, error: RunError, run_id: string, { trace_id, correlation_id }: RunContext): RunResult {
  const { config, llm } = agent.resolved;
  return failedResult(run_id, error, decisionOf({ status: 'failed', error: error.code, turns: 0, tools: new Map(), rejected: 0 }), {
    agent_name: config.agent_name,
    agent_version: config.version,
    provider: llm.provider,
    model_name: config.model_name ?? null,
    snapshot_hash: agent.snapshot.hash,
    trace_id,
    correlation_id,
  });
}

function failedResult(
  run_id: string,
  error: RunError,
  decision: string,
  metadata: Omit<ResultMetadata, keyof typeof emptyMetadata>,
): RunResult {
  const reasoning = { steps: [], decision, smoothness: 0, confidence: 0 };
  return { ...emptyResult, run_id, error, reasoning, metadata: { ...emptyMetadata, ...metadata } };
}

interface RefusedRun {
  readonly name: string;
  /** Null for an orchestration. */
  readonly version: string | null;
  /** The caller's. */
  readonly context?: Partial<RunContext> | undefined;
}

/** The only event of a run that was refused before its snapshot was frozen: it has no hash and no path. */
export function refusedRun(
  { random, clock }: Pick<Ports, 'random' | 'clock'>,
  { name, version, context }: RefusedRun,
  error: AgentStackError,
): FinalEvent {
  const run_id = random.id();
  const result = failedResult(run_id, toRunError(error), '', {
    agent_name: name,
    agent_version: version,
    provider: null,
    model_name: null,
    snapshot_hash: null,
    trace_id: context?.trace_id ?? run_id,
    correlation_id: context?.correlation_id ?? run_id,
  });
  return { run_id, seq: 0, time: new Date(clock.now()).toISOString(), type: 'final', final: true, result };
}

/** An error in the form of results. One that is not an AgentStackError is a bug: code `internal`. */
export function toRunError(cause: unknown): RunError {
  if (cause instanceof AgentStackError) {
    const { code, message, details, recoverable } = cause;
    return { code, message, ...(details && { details }), recoverable };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return {
    code: 'internal',
    message: `Internal error: ${message}. This is a bug in Agent Stack; the log has its stack.`,
    recoverable: false,
  };
}
