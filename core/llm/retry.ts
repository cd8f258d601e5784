import { LlmError } from '../errors.js';
import type { Random } from '../ports.js';

/** The longest wait that a server may request. In ms; the most that OpenAI's own SDK accepts. */
export const longestWait = 60_000;

/** Wait after failed try `attempt` (1-based), in ms: what the server requested (`error.retryAfter`, in seconds), else `backOff`. */
export function waitAfter(attempt: number, error: LlmError, random: Random): number {
  if (error.retryAfter !== undefined) return Math.ceil(error.retryAfter * 1000);
  return backOff(attempt, random);
}

/** Wait after failed try `attempt` (1-based), in ms: 500 doubled each time, at most 8,000, +-20 % from `random`. */
export function backOff(attempt: number, random: Random): number {
  return Math.round(Math.min(500 * 2 ** (attempt - 1), 8000) * (0.8 + 0.4 * random.next()));
}

/**
 * Seconds to wait according to the headers of an answer, undefined without any: `retry-after-ms` (milliseconds), else
 * `Retry-After` as seconds or as an HTTP date (RFC 9110, 10.2.3). Never negative.
 */
export function retryAfter(header: (name: string) => string | null, now: number): number | undefined {
  const milliseconds = numberOf(header('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds / 1000;
  const text = header('retry-after');
  const seconds = numberOf(text);
  if (seconds !== undefined) return seconds;
  const date = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** The error that ends the call instead of a wait that is too long. */
export function tooLongToWait(error: LlmError, wait: number, limit: string): LlmError {
  return new LlmError(error.reason, `${error.message} The next try would have to wait ${inWords(wait)}, ${limit}.`, {
    status: error.status,
    retryAfter: error.retryAfter,
    recoverable: error.recoverable,
    cause: error,
  });
}

/** `850 ms`, `12 s`, `5 min`, `3 h`. */
export function inWords(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 120) return `${Number(seconds.toFixed(1))} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
