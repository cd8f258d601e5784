import type { ConfigFile } from '../../core/config/configFile.js';
import type { PlacedFinding } from '../../core/finding.js';
import type { Json } from '../../core/json.js';
import type { MaybePromise } from '../../core/ports.js';
import type { RuleCode } from '../../core/ruleCodes.js';
import type { Document } from '../document.js';
import type { FileChange } from '../edits/fileChange.js';
import type { Project } from '../workspace.js';

/** What a fix may use. The finding is about the current text of this file. */
export interface FixContext {
  readonly project: Project;
  readonly document: Document;
  readonly file: ConfigFile;
}

/** An action that only the editor can perform. */
export interface ClientCommand {
  readonly command: string;
  readonly arguments: readonly Json[];
}

/** One way to resolve a finding. */
export interface Fix {
  /** In the imperative: `Rename to "temperature"`. Different for each fix of one finding. */
  readonly title: string;
  /** Nearly always the right one; at most one fix per finding. */
  readonly preferred?: boolean;
  /** A client command instead of changes; offered only to clients that state they have it. */
  readonly command?: ClientCommand;
  /** Computed after the user has chosen. No changes means that the fix is out of date. */
  readonly changes: () => MaybePromise<readonly FileChange[]>;
}

/** The fixes for the findings of one rule. Must be cheap: it is called for everything at the cursor, on every move. */
export interface QuickFix {
  readonly code: RuleCode;
  readonly fixes: (finding: PlacedFinding, context: FixContext) => readonly Fix[];
}
