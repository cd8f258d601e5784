import { AgentStackError } from '../../errors.js';
import type { ToolOutcome } from '../types.js';
import { McpFailure } from './mcpFailure.js';

/** What the model is told when a server did not answer. @throws the signal's reason when the call was cancelled, and what is a bug of ours */
export function failureOutcome(client_id: string, error: unknown, signal: AbortSignal): ToolOutcome {
  signal.throwIfAborted();
  if (error instanceof McpFailure) {
    return { content: failureWords(client_id, error), is_error: true, can_retry: error.reason !== 'refused' };
  }
  // A server that cannot be started again, for want of a secret for example.
  if (error instanceof AgentStackError) return { content: error.message, is_error: true };
  throw error;
}

export function failureWords(client_id: string, { reason, message }: McpFailure): string {
  const server = `The MCP server ${JSON.stringify(client_id)}`;
  return reason === 'refused' ? `${server} refused: ${message}` : `${server} ${message}${/[.?!]$/.test(message) ? '' : '.'}`;
}
