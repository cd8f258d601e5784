import type { Fix, FixContext } from './quickFix.js';
import { editFix } from './support.js';

/** Takes the entry of `expect` that a place is in out of its list. */
export function expectationRemoval(context: FixContext, pointer: string): readonly Fix[] {
  const [entry] = /^(?:\/cases\/\d+)?\/expect\/\d+/.exec(pointer) ?? [];
  return entry === undefined ? [] : [editFix(context, 'Remove the expectation', (edit) => edit.remove(entry))];
}
