import { isObject, type Json, type JsonObject } from '../../../json.js';

/** The status for each error type, for errors inside a stream of status 200. */
const statuses: ReadonlyMap<Json | undefined, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['conflict_error', 409],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

/**
 * An error of the Messages API, `{type: "error", error: {type, message}}`, in the form `errorWords` reads: with the status for its
 * type, and with a code where only the message says what is wrong.
 */
export function toErrorBody(answer: unknown): unknown {
  const error = isObject(answer) && isObject(answer.error) ? answer.error : answer;
  if (!isObject(error)) return error;
  const { type, message } = error;
  const status = statuses.get(type);
  const code = [status, meaning(error)].filter((each) => each !== undefined).join(' ');
  return { message: message ?? null, type: type ?? null, code };
}

function meaning({ message, details }: JsonObject): string | undefined {
  const words = typeof message === 'string' ? message : '';
  const code = isObject(details) && typeof details.error_code === 'string' ? details.error_code : '';
  if (/credit balance|spend(ing)? limit|usage limits/i.test(words) || /spend_limit|billing/.test(code)) return 'insufficient_quota';
  if (/prompt is too long|exceed context limit|maximum (allowed )?(number of )?(input )?tokens|request_too_large/i.test(words))
    return 'context_length_exceeded';
  return undefined;
}
