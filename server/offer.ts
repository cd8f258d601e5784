import type { CodeActionKind } from 'vscode-languageserver';
import type { TextRange } from '../core/finding.js';
import type { MaybePromise } from '../core/ports.js';
import type { Document } from './document.js';
import type { FileChange } from './edits/fileChange.js';
import type { FeatureContext } from './feature.js';
import type { ClientCommand } from './quickFixes/quickFix.js';
import type { Project } from './workspace.js';

/** What a code action would do, before its edit is worked out. */
export interface Offer {
  /** The same each time the same is offered for the same text. */
  readonly id: string;
  readonly title: string;
  readonly kind: CodeActionKind;
  readonly isPreferred?: boolean;
  /** Which of the file's findings it is about. */
  readonly finding?: number;
  /** Why it cannot be chosen. */
  readonly disabled?: string;
  /** In place of changes. */
  readonly command?: ClientCommand;
  /** @throws ResponseError when it cannot be done after all */
  readonly changes: () => MaybePromise<readonly FileChange[]>;
}

/** Where code actions are asked for. */
export interface OfferRequest {
  readonly document: Document;
  readonly project: Project;
  /** The selection; empty at a cursor. */
  readonly stretch: TextRange;
  /** Kinds that are wanted; all that fit where undefined. */
  readonly only: readonly CodeActionKind[] | undefined;
  readonly context: Pick<FeatureContext, 'workspace' | 'settings' | 'signal' | 'pause' | 'logger'>;
}

/** Whether a kind, `refactor.extract`, is wanted: asked for by itself, or by a kind that it is a part of. */
export function isWanted(kind: CodeActionKind, only: readonly CodeActionKind[] | undefined): boolean {
  return only === undefined || only.some((asked) => asked === '' || kind === asked || kind.startsWith(`${asked}.`));
}
