import type { ConfigFile } from '../core/config/configFile.js';
import { parseConfigObject } from '../core/config/parseConfigFile.js';
import { isObject, type Json, type JsonObject } from '../core/json.js';
import type { CommittedFiles } from './host.js';

export interface ProjectBaseInit {
  /** Undefined when there is nothing to compare with. */
  readonly open: (onMoved: () => void) => CommittedFiles | undefined;
  /** Resolves when the files of the project have been read. */
  readonly ready: () => Promise<void> | undefined;
  /** An open file as in the editor; undefined for one that is not open. */
  readonly fileOf: (path: string) => ConfigFile | undefined;
  /** Called with the open files whose committed text has changed. */
  readonly onChanged: (paths: ReadonlySet<string>) => void;
  readonly onError: (error: unknown) => void;
}

interface Committed {
  readonly text: string | undefined;
  /** Parsed once, and only if it differs from the text of the open file. */
  value?: JsonObject | undefined;
}

/**
 * The last committed texts of the open files of a project. No request waits for git: until git has responded, there is nothing to compare
 * with; then `onChanged` is called.
 */
export class ProjectBase {
  private readonly init: ProjectBaseInit;
  private readonly committed = new Map<string, Committed>();
  private readonly toRead = new Set<string>();
  private files: CommittedFiles | undefined;
  private isReading = false;
  private isClosed = false;

  constructor(init: ProjectBaseInit) {
    this.init = init;
  }

  /** The committed value of an open file; undefined for a file that is not open or was not committed, and until git has answered. */
  valueOf({ path, text, value }: ConfigFile): JsonObject | undefined {
    if (this.init.fileOf(path) === undefined) return undefined;
    const committed = this.committed.get(path);
    if (committed === undefined) {
      this.want([path]);
      return undefined;
    }
    if (committed.text === undefined) return undefined;
    if (!('value' in committed)) committed.value = committed.text === text ? objectOf(value) : parseConfigObject(committed.text);
    return committed.value;
  }

  /** To be called when a file is closed: its committed text is read again when it is reopened. */
  forget(path: string): void {
    this.committed.delete(path);
  }

  close(): void {
    this.isClosed = true;
    this.files?.close();
  }

  private want(paths: Iterable<string>): void {
    for (const path of paths) this.toRead.add(path);
    if (this.isReading || this.isClosed || this.toRead.size === 0) return;
    this.isReading = true;
    this.readAll().catch(this.init.onError);
  }

  private async readAll(): Promise<void> {
    try {
      await this.init.ready();
      while (this.toRead.size > 0 && !this.isClosed) {
        this.files ??= this.init.open(() => this.want(this.committed.keys()));
        const paths = [...this.toRead];
        this.toRead.clear();
        this.take(paths, (await this.files?.read(paths)) ?? new Map());
      }
    } finally {
      this.isReading = false;
    }
  }

  private take(paths: readonly string[], texts: ReadonlyMap<string, string>): void {
    const { fileOf, onChanged } = this.init;
    const changed = new Set<string>();
    for (const path of paths) {
      const now = fileOf(path);
      if (now === undefined) continue;
      const [before, text] = [this.committed.get(path)?.text, texts.get(path)];
      // A file that equals its committed text has the findings of one without a committed text.
      const differs = (committed: string | undefined) => committed !== undefined && committed !== now.text;
      if (before !== text && (differs(before) || differs(text))) changed.add(path);
      this.committed.set(path, { text });
    }
    if (changed.size > 0 && !this.isClosed) onChanged(changed);
  }
}

function objectOf(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
