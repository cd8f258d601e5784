import { isObject, type Json, type JsonObject } from '../../../json.js';

/** An error of the Gemini API in the form `errorWords` reads, with its retry delay. */
export interface GeminiError {
  readonly body: unknown;
  /** Seconds (`RetryInfo`). */
  readonly retryAfter: number | undefined;
}

/**
 * Reads `{error: {code, message, status, details}}`, alone or in a list, as the API sends it for a stream. Details add what
 * the status leaves open: an invalid key, an exhausted daily quota (which no retry outlasts), how long to wait.
 */
export function readGeminiError(answer: unknown): GeminiError {
  const first: unknown = Array.isArray(answer) ? answer[0] : answer;
  const error = isObject(first) && isObject(first.error) ? first.error : first;
  if (!isObject(error)) return { body: error, retryAfter: undefined };
  const { code, message, status, details } = error;
  const all = Array.isArray(details) ? (details as readonly Json[]).filter(isObject) : [];
  const codes = [typeof code === 'number' ? String(code) : undefined, meaning(error, all)].filter((each) => each !== undefined);
  return { body: { message: message ?? null, type: status ?? null, code: codes.join(' ') }, retryAfter: delayIn(all) };
}

function meaning({ message }: JsonObject, details: readonly JsonObject[]): string | undefined {
  const words = typeof message === 'string' ? message : '';
  if (details.some(({ reason }) => reason === 'API_KEY_INVALID') || /API key (not valid|not found|expired)/i.test(words))
    return 'invalid_api_key';
  if (/token count .{0,200}exceeds|exceeds the maximum number of tokens/i.test(words)) return 'context_length_exceeded';
  if (details.some(isSpent) || /prepayment credits|billing account|spend(ing)? (cap|limit)/i.test(words)) return 'insufficient_quota';
  return undefined;
}

/** A quota per day, or one of zero, as on models that the free tier does not include. */
function isSpent({ violations }: JsonObject): boolean {
  if (!Array.isArray(violations)) return false;
  return (violations as readonly Json[]).some(
    (each) => isObject(each) && (/PerDay/.test(String(each.quotaId)) || String(each.quotaValue) === '0'),
  );
}

function delayIn(details: readonly JsonObject[]): number | undefined {
  const seconds = details.map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(String(retryDelay))?.[1]).find((each) => each !== undefined);
  return seconds === undefined ? undefined : Number(seconds);
}
