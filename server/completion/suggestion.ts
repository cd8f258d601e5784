import type { CompletionItemKind } from 'vscode-languageserver';
import type { ReferenceKind } from '../../core/config/projectIndex.js';
import type { Kind } from '../../core/kinds.js';
import type { Path } from '../jsonTree.js';
import type { Draft, Hole } from './draft.js';

/** The subject of an item's documentation. It travels to the client and back, so it is small and holds no text from files. */
export type DocsKey =
  /** `provider`: the one that gets the options on the path. */
  | { readonly type: 'field'; readonly kind: Kind; readonly path: Path; readonly provider?: string }
  | { readonly type: 'reference'; readonly kind: ReferenceKind; readonly id: string }
  | { readonly type: 'model'; readonly name: string; readonly provider: string }
  /** `ids`: the servers that the tool was offered for; null for all. */
  | { readonly type: 'tool'; readonly name: string; readonly ids: readonly string[] | null }
  | { readonly type: 'rule'; readonly code: string }
  | { readonly type: 'operator'; readonly name: string };

/** Something that can be inserted at the cursor. */
export type Suggestion = {
  readonly label: string;
  readonly kind: CompletionItemKind;
  /** Short, beside the label. */
  readonly detail?: string;
  readonly docs?: DocsKey;
  /** 0 (first) to 9. Within a rank the order of the list counts. */
  readonly rank: number;
  readonly deprecated?: boolean;
  /** Insertions elsewhere in the file. */
  readonly also?: readonly { readonly offset: number; readonly text: string }[];
  /** Characters that accept the item and are typed after it. */
  readonly commit?: readonly string[];
} & (
  | { readonly type: 'key'; readonly key: string | Hole; readonly value: Draft }
  /** Several members at once. */
  | { readonly type: 'members'; readonly draft: Draft }
  | { readonly type: 'value'; readonly value: Draft }
  /** A range inside a string around the cursor, as offsets in the file. `text` needs no JSON escapes. */
  | { readonly type: 'part'; readonly start: number; readonly end: number; readonly text: string }
);
