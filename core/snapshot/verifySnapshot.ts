import { isObject, type Json } from '../json.js';
import { canonicalJson } from './canonicalJson.js';
import { restoreKeyOrder } from './keyOrder.js';
import type { SnapshotValue } from './snapshotValue.js';

export type VerifiedSnapshot = { readonly ok: true; readonly value: SnapshotValue } | { readonly ok: false; readonly message: string };

/**
 * Checks that a text is the snapshot its hash names: the hash of its bytes, canonical JSON, and a format this version reads. The value comes back
 * deeply frozen and with its keys in their written order, so a run of it repeats the earlier run. Never throws.
 */
export function verifySnapshot(text: string, hash: string, sha256: (text: string) => string): VerifiedSnapshot {
  const actual = sha256(text);
  if (actual !== hash) return refused(`The snapshot was changed after it was written: its hash is ${actual}, not ${hash}.`);
  let parsed: Json;
  try {
    parsed = JSON.parse(text) as Json;
  } catch (error) {
    return refused(`The snapshot is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (!isObject(parsed) || canonicalJson(parsed) !== text) return refused('The snapshot is not canonical JSON (RFC 8785).');
  if (parsed.format !== 1) return refused(`The snapshot has format ${JSON.stringify(parsed.format)}; this version reads format 1.`);
  const { kind, agents, llms, servers, orchestration } = parsed;
  const isWhole = kind === 'agent' || (kind === 'orchestration' && isObject(orchestration) && isObject(orchestration.teams));
  if (!isWhole || !isObject(agents) || !isObject(llms) || !isObject(servers))
    return refused('The snapshot is not one of an agent or an orchestration.');
  // Its bytes are those that were made from a `SnapshotValue`.
  return { ok: true, value: restoreKeyOrder(parsed) as unknown as SnapshotValue };
}

function refused(message: string): VerifiedSnapshot {
  return { ok: false, message };
}
