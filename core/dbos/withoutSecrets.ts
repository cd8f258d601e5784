import type { KnownSecrets } from '../ports.js';
import { type RecordedError, toError, toRecordedError } from '../run/recordLines.js';
import { coverJson, coverText } from '../secrets/coverValue.js';

/** The stored form of a JSON value; the value itself if it has no secrets. */
export function withoutSecrets<Value>(value: Value, knownSecrets: KnownSecrets | undefined): Value {
  if (typeof value === 'object' && value !== null && knownSecrets?.isClean(value)) return value;
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) return value;
  const covered = coverJson(text, knownSecrets);
  // Masking keeps the shape of a value.
  return covered === text ? value : (JSON.parse(covered) as Value);
}

/** The failure of a step for storing and throwing: the original if nothing had to be masked. */
export function errorWithoutSecrets(
  error: unknown,
  secrets: KnownSecrets | undefined,
): { readonly thrown: unknown; readonly recorded: RecordedError } {
  const plain = toRecordedError(error);
  const recorded = { ...plain, message: coverText(plain.message, secrets) };
  return { thrown: recorded.message === messageOf(error) ? error : toError(recorded), recorded };
}

/** The failure of a flow, which the library stores with everything in it. */
export function failureWithoutSecrets(reason: unknown, knownSecrets: KnownSecrets | undefined): unknown {
  const message = messageOf(reason);
  const covered = coverText(message, knownSecrets);
  if (covered === message) return reason;
  return Object.assign(new Error(covered), { name: reason instanceof Error ? reason.name : 'Error' });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
