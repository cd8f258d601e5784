import type { PlacedFinding } from '../finding.js';
import type { Position } from '../jsonText/textPositions.js';
import type { NewFile } from '../scaffold/newFile.js';

/** A field without a counterpart, or with a different form here, and what to do about it. */
export interface ImportNote extends Position {
  readonly file: string;
  readonly pointer: string;
  readonly message: string;
}

export interface PlannedFile extends NewFile {
  /** `change`: entries are added to an existing file. `same`: the file exists with exactly this text. */
  readonly action: 'create' | 'change' | 'same';
}

/** What an import would write. */
export interface ImportPlan {
  /** What was read, and as what. */
  readonly sources: readonly { readonly file: string; readonly from: string; readonly what: string }[];
  /** Agents first. */
  readonly files: readonly PlannedFile[];
  readonly notes: readonly ImportNote[];
  /** Why nothing can be written: what is in the way. Sentences. */
  readonly obstacles: readonly string[];
  /** What `check` will report about the files to write. */
  readonly findings: readonly PlacedFinding[];
}
