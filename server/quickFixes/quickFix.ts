import type { ConfigFile } from '../../core/config/configFile.js';
import type { PlacedFinding } from '../../core/finding.js';
import type { Json } from '../../core/json.js';
import type { MaybePromise } from '../../core/ports.js';
import type { RuleCode } from '../../core/ruleCodes.js';
import type { Document } from '../document.js';
import type { FileChange } from '../edits/fileChange.js';
import type { Project } from '../workspace.js';

/** What a fix may look at. The finding is about this file as it is now. */
export interface FixContext {
  readonly project: Project;
  readonly document: Document;
  readonly file: ConfigFile;
}

/** Something only the editor can do. */
export interface ClientCommand {
  readonly command: string;
  readonly arguments: readonly Json[];
}

/** One way out of a finding. */
export interface Fix {
  /** An order to the editor: `Rename to "temperature"`. Different for each fix of one finding. */
  readonly title: string;
  /** The one that is nearly always meant; at most one fix of a finding. */
  readonly preferred?: boolean;
  /** A command of the client, in place of changes; offered only to a client that says it has it. */
  readonly command?: ClientCommand;
  /** Computed when the user has chosen. Nothing to change means that the fix is out of date. */
  readonly changes: () => MaybePromise<readonly FileChange[]>;
}

/** What can be done about the findings of one rule. Cheap: it is called for everything at the cursor, on every move. */
export interface QuickFix {
  readonly code: RuleCode;
  readonly fixes: (finding: PlacedFinding, context: FixContext) => readonly Fix[];
}
