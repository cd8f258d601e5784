import type { FileIdentity } from '../core/config/configFile.js';
import type { KnownFile, MemoryIndex } from '../core/config/memoryIndex.js';
import type { ProjectSettings } from '../core/config/projectSettings.js';
import type { PlacedFinding } from '../core/finding.js';
import type { FileSystem } from '../core/ports.js';
import type { RuleContext } from '../core/rules/rule.js';
import type { ConfigDocument } from './configDocument.js';
import type { Document } from './document.js';
import type { ServiceHost } from './host.js';
import type { ToolFiles } from './toolFiles.js';

/** Everything the server knows. Each read first brings the index up to date with unsaved texts, so it is never stale. */
export interface Workspace {
  /** By root, outer projects before inner ones. Those of workspace folders are found in the background, see `ready`. */
  readonly projects: readonly Project[];
  /** These, and workspace folders that are no project: what other tools have in them is checked too. */
  readonly checkedFolders: readonly Project[];
  /** Paths of the workspace folders, absolute. */
  readonly folders: readonly string[];
  /** An open document, or the current file on disk; undefined if there is neither, or it cannot be read. Never from a cache of disk texts. */
  document(uri: string): Document | undefined;
  /** For composing what a run would see. The value of a variable is never shown on its own. */
  readonly host: Pick<ServiceHost, 'environment' | 'sha256' | 'rulePage'>;
  /** Documents that are open in the editor. */
  readonly openDocuments: Iterable<Document>;
  /** The nearest project around a file, open or not. */
  projectOf(uri: string): Project | undefined;
  /** Resolves when every project of the workspace folders is indexed. Await it where an answer would be wrong without (references, rename, workspace symbols). @throws the signal's reason */
  ready(signal?: AbortSignal): Promise<void>;
}

export interface Project {
  /** Absolute path of the folder. */
  readonly root: string;
  readonly settings: ProjectSettings;
  /** Names, layer values and references of all files, unsaved texts included. */
  readonly index: MemoryIndex;
  /** The disk, without unsaved texts: for reading files that are not config files. */
  readonly files: FileSystem;
  /** The context of the rules, with the model table and the effective config of an agent file: the same as for its diagnostics. */
  readonly ruleContext: RuleContext;
  /** The document at a project path: open, or currently on disk. */
  documentAt(path: string): Document | undefined;
  /** A project path as a URI, in the spelling of the client where the file is open. */
  uriOf(path: string): string;
  /** The version of a file that is open; null for one that is not. */
  openVersion(path: string): number | null;
  /** The kind and name of a file, by its path; undefined for a file of no kind. */
  identityOf(path: string): FileIdentity | undefined;
  /** The project's own config files, in the order found. */
  knownFiles(): readonly KnownFile[];
  /** Files of other tools in config places. */
  foreignFiles(): readonly KnownFile[];
  /** Folders that cannot be listed and links that leave the project: not files, but still reported. */
  readonly unlisted: readonly string[];
  /** Files of other tools in places of their own, in the folder and those below it. */
  readonly toolFiles: Pick<ToolFiles, 'paths' | 'findingsAt' | 'current'>;
  /** Names of the environment variables that are set; never their values. */
  variableNames(): readonly string[];
  /** The findings of one file with their places; the same objects until the file or something it depends on changes. */
  findings(path: string): Promise<readonly PlacedFinding[]>;
  /** The findings of a possible text of a file, beside the actual files. */
  findingsIn(draft: ConfigDocument): Promise<readonly PlacedFinding[]>;
}
