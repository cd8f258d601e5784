import { errorCodes } from './lspConstants.js';

/** A refusal that the user is meant to read: why, and what to do. Anything else thrown by a handler is a bug. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** LSP error code. Default RequestFailed. */
  readonly code: number;

  constructor(message: string, code: number = errorCodes.requestFailed) {
    super(message);
    this.code = code;
  }
}
