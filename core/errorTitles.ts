import type { ErrorCode, LlmFailureReason } from './errors.js';
import { isObject, type Json } from './json.js';
import { visibleText } from './visibleText.js';

/** A code, and for a failed model call its reason: `llm/auth`. */
export type ErrorKey = Exclude<ErrorCode, 'llm'> | `llm/${LlmFailureReason}`;

/** Short titles of errors; the message has the details. */
export const errorTitles: Readonly<Record<ErrorKey, string>> = {
  'unknown-agent-config': 'There is no such agent',
  'config-syntax': 'A file is not valid JSON',
  'config-invalid': 'The configuration has errors',
  'input-invalid': 'The input does not fit',
  'output-invalid': 'The answer does not fit the schema',
  parse: 'The reply could not be read',
  'llm/no-provider': 'The provider is not available here',
  'llm/no-key': 'The key is missing',
  'llm/auth': 'The key was refused',
  'llm/not-found': 'The model was not found',
  'llm/rate-limit': 'The provider limits the number of requests',
  'llm/quota': 'The account has no credit left',
  'llm/context-length': 'The prompt is too long for the model',
  'llm/content-filter': 'The content filter of the provider stepped in',
  'llm/refusal': 'The model declined to answer',
  'llm/length': 'The answer was cut off',
  'llm/incomplete': 'The answer is not complete',
  'llm/bad-request': 'The provider did not accept the request',
  'llm/server': 'The provider has failed',
  'llm/network': 'The connection to the provider failed',
  'tool-execution': 'A tool failed',
  timeout: 'The time limit was reached',
  'max-iterations': 'No answer within the allowed turns',
  'budget-exceeded': 'The budget was used up',
  'recursion-limit': 'The limit of teams was reached',
  'no-route': 'No route leads on',
  'secret-missing': 'A secret is missing',
  denied: 'Not allowed',
  'replay-mismatch': 'The run differs from its recording',
  storage: 'The run could not be saved',
  cancelled: 'Cancelled',
  internal: 'This is a fault of Agent Stack',
};

/** The key of a stored, untrusted error; undefined for one that this version does not know. */
export function errorKeyOf(code: string, reason: string | null): ErrorKey | undefined {
  const key = code === 'llm' ? `llm/${reason ?? ''}` : code;
  return Object.hasOwn(errorTitles, key) ? (key as ErrorKey) : undefined;
}

/** `The key was refused (llm/auth)`; only the code if it is unknown. */
export function errorTitle(code: string, reason: string | null): string {
  const key = errorKeyOf(code, reason);
  if (key === undefined) return reason === null || reason === '' ? code : `${code}/${reason}`;
  return `${errorTitles[key]} (${key})`;
}

/** An error of a result, which may come from a file. */
export interface ToldError {
  readonly code: string;
  readonly message: string;
  readonly details?: Json | undefined;
}

/** The title of an error with its code, and its message: `The key was refused (llm/auth): ...`. */
export function errorLine(error: ToldError): string {
  return `${toldTitle(error)}: ${error.message}`;
}

export function toldTitle({ code, details }: Pick<ToldError, 'code' | 'details'>): string {
  const reason = isObject(details) && typeof details.reason === 'string' ? details.reason : null;
  return visibleText(errorTitle(code, reason));
}
