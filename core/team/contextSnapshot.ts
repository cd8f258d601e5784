import { type Json, type JsonObject, pointerOf } from '../json.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { Origin } from '../snapshot/effective.js';
import { withKeyOrder } from '../snapshot/keyOrder.js';
import { forEachLeaf } from '../snapshot/origins.js';

const contextPointer = pointerOf('orchestration', 'context');

/** The snapshot of an orchestration for another execution of a team: the same except for its context, which the run itself changed. */
export function contextSnapshot(snapshot: Snapshot, context: JsonObject, sha256: (text: string) => string): Snapshot {
  const { orchestration, key_order: _order, ...frozen } = snapshot.value;
  if (!orchestration) throw new Error('The snapshot has no orchestration.');
  const value = withKeyOrder({ ...frozen, orchestration: { ...orchestration, context } });
  const text = canonicalJson(value as unknown as Json);
  return {
    value,
    text,
    hash: sha256(text),
    get origins_text() {
      return originsText(snapshot.origins_text, context);
    },
  };
}

function originsText(before: string, context: JsonObject): string {
  // Written by us: an object of origins.
  const origins = JSON.parse(before) as { readonly [pointer: string]: Origin };
  const isOfContext = (pointer: string) => pointer === contextPointer || pointer.startsWith(`${contextPointer}/`);
  const entries = Object.entries(origins).filter(([pointer]) => !isOfContext(pointer));
  forEachLeaf(context, (pointer) => {
    entries.push([`${contextPointer}${pointer}`, { file: null, pointer: `/context${pointer}`, layer: 'call' }]);
  });
  return canonicalJson(Object.fromEntries(entries) as unknown as Json);
}
