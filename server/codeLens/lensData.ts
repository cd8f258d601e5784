import type { Entity } from '../names/entity.js';

/** What a lens counts. */
export type LensSubject =
  /** Who names a file, or a server in mcp.json. */
  | { readonly type: 'file'; readonly kind: 'agent' | 'llm' | 'persona' | 'prompt' | 'mcp'; readonly id: string }
  | { readonly type: 'entity'; readonly entity: Entity }
  /** What a run of the agent or orchestration may cost at most; with `team`, how often that team runs and what it costs each time. */
  | { readonly type: 'cost'; readonly team?: string }
  /** Tokens of a text in the lens's own file. */
  | { readonly type: 'text'; readonly pointer: string };

/** What a lens brings along when it comes back to be resolved. */
export interface LensData {
  readonly uri: string;
  readonly subject: LensSubject;
}
