import type { CodeActionKind } from 'vscode-languageserver';
import type { TextRange } from '../core/finding.js';
import type { MaybePromise } from '../core/ports.js';
import type { Document } from './document.js';
import type { FileChange } from './edits/fileChange.js';
import type { FeatureContext } from './feature.js';
import type { ClientCommand } from './quickFixes/quickFix.js';
import type { Project } from './workspace.js';

/** A code action before its edit is computed. */
export interface Offer {
  /** The same whenever the same action is offered for the same text. */
  readonly id: string;
  readonly title: string;
  readonly kind: CodeActionKind;
  readonly isPreferred?: boolean;
  /** The finding of the file that it is about. */
  readonly finding?: number;
  /** Why it cannot be chosen. */
  readonly disabled?: string;
  /** Run instead of changes. */
  readonly command?: ClientCommand;
  /** @throws ResponseError if it turns out that it cannot be done */
  readonly changes: () => MaybePromise<readonly FileChange[]>;
}

/** Where code actions are requested. */
export interface OfferRequest {
  readonly document: Document;
  readonly project: Project;
  /** The selection; empty at a cursor. */
  readonly stretch: TextRange;
  /** Requested kinds; if undefined, all that fit. */
  readonly only: readonly CodeActionKind[] | undefined;
  readonly context: Pick<FeatureContext, 'workspace' | 'settings' | 'signal' | 'pause' | 'logger'>;
}

/** Whether a kind such as `refactor.extract` is requested, by itself or by a kind that contains it. */
export function isWanted(kind: CodeActionKind, only: readonly CodeActionKind[] | undefined): boolean {
  return only === undefined || only.some((asked) => asked === '' || kind === asked || kind.startsWith(`${asked}.`));
}
