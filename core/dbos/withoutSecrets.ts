import type { KnownSecrets } from '../ports.js';
import { type RecordedError, toError, toRecordedError } from '../run/recordLines.js';
import { coverJson, coverText } from '../secrets/coverValue.js';

/** A value of JSON as it is kept; the value itself where it holds none. */
export function withoutSecrets<Value>(value: Value, known: KnownSecrets | undefined): Value {
  if (typeof value === 'object' && value !== null && known?.isClean(value)) return value;
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) return value;
  const covered = coverJson(text, known);
  // What is covered keeps its shape.
  return covered === text ? value : (JSON.parse(covered) as Value);
}

/** A failure as it is kept of a step, and as it is handed on: as it was thrown where nothing had to be covered. */
export function errorWithoutSecrets(
  error: unknown,
  known: KnownSecrets | undefined,
): { readonly thrown: unknown; readonly recorded: RecordedError } {
  const plain = toRecordedError(error);
  const recorded = { ...plain, message: coverText(plain.message, known) };
  return { thrown: recorded.message === messageOf(error) ? error : toError(recorded), recorded };
}

/** A failure of a flow, which the library keeps with all that is in it. */
export function failureWithoutSecrets(reason: unknown, known: KnownSecrets | undefined): unknown {
  const message = messageOf(reason);
  const covered = coverText(message, known);
  if (covered === message) return reason;
  return Object.assign(new Error(covered), { name: reason instanceof Error ? reason.name : 'Error' });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
