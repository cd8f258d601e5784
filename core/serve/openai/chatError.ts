import type { RunError } from '../../agent/events.js';
import { isObject, type JsonObject } from '../../json.js';

interface ChatErrorFields {
  /** HTTP status. */
  readonly status: number;
  readonly type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'insufficient_quota' | 'server_error';
  readonly code: string;
  /** The invalid part of the request. Default: none. */
  readonly param?: string | null;
  /** Whether the same request may succeed later. Default false: clients retry some statuses by themselves. */
  readonly retry?: boolean;
}

/** Why a request gets no completion, in the form of the Chat Completions API. */
export class ChatError extends Error {
  override readonly name = 'ChatError';
  readonly status: number;
  readonly retry: boolean;
  readonly #fields: ChatErrorFields;

  constructor(message: string, fields: ChatErrorFields) {
    super(message);
    this.status = fields.status;
    this.retry = fields.retry ?? false;
    this.#fields = fields;
  }

  /** The body of the response. @param message with secrets masked */
  body(message: string): JsonObject {
    const { type, param = null, code } = this.#fields;
    return { error: { message, type, param, code } };
  }
}

/** The error for an invalid request. */
export function requestError(message: string, param: string | null = null, code = 'invalid_value'): ChatError {
  return new ChatError(message, { status: 400, type: 'invalid_request_error', code, param });
}

export function unknownModel(message: string): ChatError {
  return new ChatError(message, { status: 404, type: 'invalid_request_error', code: 'model_not_found', param: 'model' });
}

/** A request that is refused before its body is read. */
export function refusedRequest(status: number, message: string): ChatError {
  const type = status === 401 ? 'authentication_error' : status === 403 ? 'permission_error' : 'invalid_request_error';
  return new ChatError(message, { status, type, code: codesOfStatus[status] ?? 'invalid_request' });
}

const codesOfStatus: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'request_too_large',
  415: 'unsupported_media_type',
};

/** The error for a failed run. */
export function runFailure(error: RunError): ChatError {
  const { code, message, recoverable } = error;
  const reason = isObject(error.details) && typeof error.details.reason === 'string' ? error.details.reason : undefined;
  const fullCode = code === 'llm' && reason !== undefined ? `llm/${reason}` : code;
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
  return new ChatError(message, {
    status,
    type,
    code: fullCode,
    param: isRequest ? 'messages' : null,
    retry: recoverable && retried.has(fullCode),
  });
}

/** Only after these is an unchanged retry useful: others were paid for, or would fail again. */
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
