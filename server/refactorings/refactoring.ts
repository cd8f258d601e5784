import type { CodeActionKind } from 'vscode-languageserver';
import type { ConfigFile } from '../../core/config/configFile.js';
import type { TextRange } from '../../core/finding.js';
import type { JsonObject } from '../../core/json.js';
import type { Document } from '../document.js';
import type { Offer } from '../offer.js';
import type { Project } from '../workspace.js';

/** Where a refactoring is requested. */
export interface RefactoringContext {
  readonly document: Document;
  readonly project: Project;
  readonly file: ConfigFile;
  /** The value of the file. */
  readonly value: JsonObject;
  /** The selection; empty at a cursor. */
  readonly stretch: TextRange;
  /** Members at the root of the file that the selection touches; at a cursor the one it is in. */
  readonly fields: readonly string[];
}

/** One thing a refactoring can do there. `id` distinguishes several. */
export type Proposal = Pick<Offer, 'title' | 'changes' | 'disabled'> & { readonly id?: string };

/** Another form for the same content. Must be cheap to propose; edits, and proofs that nothing changes, follow the user's choice. */
export interface Refactoring {
  readonly name: string;
  readonly kind: CodeActionKind;
  readonly propose: (context: RefactoringContext) => readonly Proposal[];
}
