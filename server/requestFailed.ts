import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';

/** A refusal for the user to read: why, and what to do. Anything else that a handler throws is a bug. */
export function requestFailed(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
