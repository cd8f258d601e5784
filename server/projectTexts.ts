import type { ConfigFile, FileIdentity } from '../core/config/configFile.js';
import { parseConfigFile } from '../core/config/parseConfigFile.js';
import { settingsIdentity, settingsPath } from '../core/config/paths.js';
import type { ProjectSettings } from '../core/config/projectSettings.js';
import { defaultSettings, readSettings, settingsWithoutFile } from '../core/config/readSettings.js';
import { FileProblem, type FileSystem } from '../core/ports.js';
import { type ConfigDocument, diskDocument } from './configDocument.js';
import type { ServiceHost } from './host.js';

export interface ProjectTextsInit {
  readonly root: string;
  readonly files: FileSystem;
  readonly host: Pick<ServiceHost, 'toUri' | 'sha256'>;
  /** By project path. */
  readonly openDocuments: ReadonlyMap<string, ConfigDocument>;
}

/** The texts of a project: an open document takes precedence over the file on disk. Texts from the disk are not cached. */
export class ProjectTexts {
  readonly openDocuments: ReadonlyMap<string, ConfigDocument>;
  private readonly root: string;
  private readonly files: FileSystem;
  private readonly host: ProjectTextsInit['host'];
  /** The state on disk when a file was indexed: the hash of its text, or why it could not be read. */
  private readonly indexed = new Map<string, string>();

  constructor({ root, files, host, openDocuments }: ProjectTextsInit) {
    this.root = root.endsWith('/') ? root : `${root}/`;
    this.files = files;
    this.host = host;
    this.openDocuments = openDocuments;
  }

  /** The document at a path, open or not. @param identify called for a file that is not open */
  documentAt(path: string, identify: (path: string) => FileIdentity | undefined): ConfigDocument | undefined {
    const open = this.openDocuments.get(path);
    if (open !== undefined) return open;
    const text = this.readDisk(path);
    return typeof text === 'string' ? diskDocument(this.uriOf(path), text, path, identify(path)) : undefined;
  }

  /** A file, or the fact that it cannot be read; undefined if it does not exist. */
  fileAt(path: string, identify: (path: string) => FileIdentity | undefined): ConfigFile | 'unreadable' | undefined {
    const document = this.documentAt(path, identify);
    const isThere = document !== undefined || this.problemAt(path)?.reason !== 'not-found';
    return isThere ? (document?.config ?? 'unreadable') : undefined;
  }

  uriOf(path: string): string {
    return this.openDocuments.get(path)?.uri ?? this.host.toUri(this.root + path);
  }

  /** Why a file has no text; undefined when it has one. */
  problemAt(path: string): FileProblem | undefined {
    if (this.openDocuments.has(path)) return undefined;
    const text = this.readDisk(path);
    return typeof text === 'string' ? undefined : text;
  }

  readDisk(path: string): string | FileProblem {
    try {
      const text = this.files.readText(path);
      if (typeof text === 'string') return text;
      throw new Error('The language service needs files that are read at once');
    } catch (error) {
      if (error instanceof FileProblem) return error;
      throw error;
    }
  }

  /** Reads a file on disk for the index, for `hasChanged` later. */
  readForIndex(path: string): string | FileProblem {
    const text = this.readDisk(path);
    this.indexed.set(path, this.stateOf(text));
    return text;
  }

  /** Remembers the indexed state of a file on disk. An open document is read from the disk when it is closed. */
  remember(path: string): void {
    if (!this.openDocuments.has(path)) this.readForIndex(path);
  }

  /** Whether a file on disk has changed since it was indexed. */
  hasChanged(path: string): boolean {
    return this.indexed.get(path) !== this.stateOf(this.readDisk(path));
  }

  private stateOf(text: string | FileProblem): string {
    return typeof text === 'string' ? this.host.sha256(text) : text.reason;
  }

  /** The settings in agentstack.json; defaults for those that are missing or invalid. */
  readSettings(): ProjectSettings {
    const open = this.openDocuments.get(settingsPath);
    const text = open?.fileText ?? this.readDisk(settingsPath);
    if (text instanceof FileProblem && text.reason === 'not-found') return settingsWithoutFile;
    if (typeof text !== 'string' || open?.isTooLarge) return defaultSettings;
    return readSettings(open?.config ?? parseConfigFile(settingsPath, text, settingsIdentity));
  }
}
