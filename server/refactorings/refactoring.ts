import type { CodeActionKind } from 'vscode-languageserver';
import type { ConfigFile } from '../../core/config/configFile.js';
import type { TextRange } from '../../core/finding.js';
import type { JsonObject } from '../../core/json.js';
import type { Document } from '../document.js';
import type { Offer } from '../offer.js';
import type { Project } from '../workspace.js';

/** Where a refactoring is asked for. */
export interface RefactoringContext {
  readonly document: Document;
  readonly project: Project;
  readonly file: ConfigFile;
  /** Of the file. */
  readonly value: JsonObject;
  /** The selection; empty at a cursor. */
  readonly stretch: TextRange;
  /** Members at the root of the file that the selection touches; at a cursor the one it is in. */
  readonly fields: readonly string[];
}

/** One thing a refactoring can do there. `id` tells several apart. */
export type Proposal = Pick<Offer, 'title' | 'changes' | 'disabled'> & { readonly id?: string };

/** Another form for the same thing. Cheap to propose; edits, and proofs that nothing changes, are made when the user has chosen. */
export interface Refactoring {
  readonly name: string;
  readonly kind: CodeActionKind;
  readonly propose: (context: RefactoringContext) => readonly Proposal[];
}
