import type { TextRange } from '../core/finding.js';

/** What stands at an offset of a JSON text, broken or not, found by one scan without building a tree. */
export interface Cursor {
  /**
   * Object keys (decoded) and list indices from the root to what the cursor is about: the value it is on or would begin, or the member whose
   * key it is on or would begin. For a key not yet written the last segment is what is typed so far, possibly empty.
   */
  readonly path: readonly (string | number)[];
  /**
   * `key`: on a key, or where one may begin. `value`: on a scalar, or where a value may begin. `none`: nothing can begin here (after a finished value, before
   * its comma; on punctuation; after the root).
   */
  readonly place: 'key' | 'value' | 'none';
  /** The whole key or scalar under or right before the cursor, quotes included; empty at the cursor where there is none. What a completion replaces. */
  readonly token: TextRange;
  /** Decoded text of the token up to the cursor, without the opening quote. */
  readonly typed: string;
  /** `none`: the token is no string. `open`: a string without its closing quote. */
  readonly quotes: 'none' | 'closed' | 'open';
  /** Keys of the enclosing object, in order, without the one at the cursor; empty in a list. */
  readonly siblings: readonly string[];
  /** Whether a colon follows the key. */
  readonly hasColon: boolean;
  /** Whether a comma is missing between what stands before the token and it, and between it (or its value) and what follows. */
  readonly needsComma: { readonly before: boolean; readonly after: boolean };
  /** Offset of the innermost `{` or `[` around the cursor; undefined at the root. */
  readonly container: number | undefined;
}
