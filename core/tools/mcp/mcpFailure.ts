import { AgentStackError, ToolExecutionError } from '../../errors.js';
import type { ToolOutcome } from '../types.js';

/**
 * Why a request to a server failed. `closed`: the connection is gone. `ended`: its program has ended. `forgotten`: the server no longer knows the session, and did not execute
 * the request. `timeout`: it took too long. `refused`: the server answered with an error or an invalid answer.
 */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  readonly reason: 'closed' | 'ended' | 'forgotten' | 'timeout' | 'refused';

  constructor(reason: McpFailure['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** The outcome for the model when a server did not answer. @throws the signal's reason if the call was cancelled; unexpected errors */
export function failureOutcome(client_id: string, error: unknown, signal: AbortSignal): ToolOutcome {
  signal.throwIfAborted();
  if (error instanceof McpFailure) {
    return { content: failureWords(client_id, error), is_error: true, can_retry: error.reason !== 'refused' };
  }
  // For example, a secret is missing to start the server again.
  if (error instanceof AgentStackError) return { content: error.message, is_error: true };
  throw error;
}

function failureWords(client_id: string, { reason, message }: McpFailure): string {
  const server = `The MCP server ${JSON.stringify(client_id)}`;
  return reason === 'refused' ? `${server} refused: ${message}` : `${server} ${message}${/[.?!]$/.test(message) ? '' : '.'}`;
}

/** The error for the user in place of a failure of a server; other errors as they are. */
export function toToolError(client_id: string, error: unknown): unknown {
  return error instanceof McpFailure ? new ToolExecutionError(client_id, failureWords(client_id, error), { cause: error }) : error;
}
