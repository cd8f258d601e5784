import type { Entity } from '../names/entity.js';

/** The subject of a lens. */
export type LensSubject =
  /** The references to a file, or to a server of mcp.json. */
  | { readonly type: 'file'; readonly kind: 'agent' | 'llm' | 'persona' | 'prompt' | 'mcp'; readonly id: string }
  | { readonly type: 'entity'; readonly entity: Entity }
  /** The highest cost of a run; with `team`, how often that team runs and its cost each time. */
  | { readonly type: 'cost'; readonly team?: string }
  /** What an agent or orchestration may do. */
  | { readonly type: 'permits' }
  /** How soon a model ends, and where the file names it. */
  | { readonly type: 'end'; readonly pointer: string }
  /** Tokens of a text in the file of the lens. */
  | { readonly type: 'text'; readonly pointer: string };

/** The data of a lens, for resolving it. */
export interface LensData {
  readonly uri: string;
  readonly subject: LensSubject;
}
