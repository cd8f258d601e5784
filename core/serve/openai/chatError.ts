import type { RunError } from '../../agent/events.js';
import { isObject, type JsonObject } from '../../json.js';

/** An error as the Chat Completions API tells it, with its HTTP status. */
export interface ChatError {
  readonly status: number;
  readonly type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'insufficient_quota' | 'server_error';
  readonly code: string;
  readonly message: string;
  /** Which part of the request is at fault. */
  readonly param: string | null;
  /** Whether the same request may succeed later: clients try again by themselves where the status lets them. */
  readonly retry: boolean;
}

/** The body of an answer. */
export function chatErrorBody({ message, type, param, code }: ChatError): JsonObject {
  return { error: { message, type, param, code } };
}

/** What is wrong with the request itself. */
export function requestError(message: string, param: string | null = null, code = 'invalid_value'): ChatError {
  return { status: 400, type: 'invalid_request_error', code, message, param, retry: false };
}

/** @param param of the model */
export function unknownModel(message: string): ChatError {
  return { status: 404, type: 'invalid_request_error', code: 'model_not_found', message, param: 'model', retry: false };
}

/** A request that is refused before it is read. */
export function refusedRequest(status: number, message: string): ChatError {
  const type = status === 401 ? 'authentication_error' : status === 403 ? 'permission_error' : 'invalid_request_error';
  return { status, type, code: codesOfStatus[status] ?? 'invalid_request', message, param: null, retry: false };
}

const codesOfStatus: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'request_too_large',
  415: 'unsupported_media_type',
};

/** What a run failed with. */
export function runFailure(error: RunError): ChatError {
  const { code, message, recoverable } = error;
  const reason = isObject(error.details) && typeof error.details.reason === 'string' ? error.details.reason : undefined;
  const named = code === 'llm' && reason !== undefined ? `llm/${reason}` : code;
  const status = statusOf(code, reason);
  const isRequest = status === 400;
  const isQuota = code === 'budget-exceeded' || reason === 'quota';
  const type = isRequest
    ? 'invalid_request_error'
    : isQuota
      ? 'insufficient_quota'
      : code === 'denied'
        ? 'permission_error'
        : 'server_error';
  return { status, type, code: named, message, param: isRequest ? 'messages' : null, retry: recoverable && retried.has(named) };
}

/** Only these are worth another run by themselves: all others have been paid for, or fail again. */
const retried: ReadonlySet<string> = new Set(['llm/rate-limit', 'llm/server', 'llm/network']);

function statusOf(code: RunError['code'], reason: string | undefined): number {
  switch (code) {
    case 'input-invalid':
      return 400;
    case 'denied':
      return 403;
    case 'unknown-agent-config':
      return 404;
    case 'budget-exceeded':
      return 429;
    case 'cancelled':
      return 499;
    case 'timeout':
      return 504;
    case 'llm':
      return reason === 'rate-limit' || reason === 'quota' ? 429 : reason === 'context-length' ? 400 : 502;
    case 'output-invalid':
    case 'parse':
    case 'tool-execution':
      return 502;
    default:
      return 500;
  }
}
