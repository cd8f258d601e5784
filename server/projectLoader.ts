import type { FileIdentity } from '../core/config/configFile.js';
import { listConfigFiles } from '../core/config/listConfigFiles.js';
import { isForeignMcpKind } from '../core/config/mcpFiles.js';
import type { Finding } from '../core/finding.js';
import type { Kind } from '../core/kinds.js';
import type { FileSystem } from '../core/ports.js';
import type { GrowingIndex } from './growingIndex.js';

/**
 * How far loading has got: `layers` when the files that are layered under others have been read, `names` when all files have been listed,
 * `contents` when all have been read.
 */
const stages = ['new', 'layers', 'names', 'contents'] as const;
export type Stage = (typeof stages)[number];

export interface ProjectLoaderInit {
  readonly files: FileSystem;
  readonly index: () => GrowingIndex;
  /** Whether files of a kind are read at all. */
  readonly isOurs: (kind: Kind) => boolean;
  /** Whether the index gets the file from the editor, or from a change that is not settled yet. */
  readonly isTaken: (path: string) => boolean;
  readonly readSettings: () => void;
  /** Puts a file into an index as it is on disk. */
  readonly read: (index: GrowingIndex, path: string, identity: FileIdentity) => void;
  readonly onStage: () => void;
  readonly nextTurn: () => Promise<void>;
}

/** Kinds that may have very many files, none layered under another. They are listed when all others have been read. */
const lateKinds: readonly Kind[] = ['agent', 'orchestration', 'payload', 'baseline'];

/** In a folder that is no project, only the lists of MCP servers that other tools have are read. */
export function isOurs(kind: Kind, isBare: boolean): boolean {
  return !isBare || isForeignMcpKind(kind);
}

/** Finds and reads the files of a project in the background. The files that open documents depend on come first. */
export class ProjectLoader {
  private readonly init: ProjectLoaderInit;
  private stage: Stage = 'new';
  private waiting: readonly { readonly stage: Stage; readonly resolve: () => void }[] = [];

  constructor(init: ProjectLoaderInit) {
    this.init = init;
  }

  /** Resolves when loading has reached this stage; undefined if it already has. */
  reached(stage: Stage): Promise<void> | undefined {
    if (stages.indexOf(this.stage) >= stages.indexOf(stage)) return undefined;
    return new Promise((resolve) => {
      this.waiting = [...this.waiting, { stage, resolve }];
    });
  }

  /** Starts again with a new index. True when no load is under way, so that the caller has to call `load`. */
  startAnew(): boolean {
    const wasLoaded = this.stage === 'contents';
    this.stage = 'new';
    return wasLoaded;
  }

  /** Starts again if the index is replaced meanwhile. Waiting requests are always released, even if a folder cannot be read. */
  async load(): Promise<void> {
    try {
      while (!(await this.fill(this.init.index())));
    } finally {
      this.reach('contents');
    }
  }

  /** False if the index has been replaced meanwhile. */
  private async fill(index: GrowingIndex): Promise<boolean> {
    const { init } = this;
    const isCurrent = () => index === init.index();
    init.readSettings();
    for await (const [path, identity] of this.list(index, (kind) => !lateKinds.includes(kind))) {
      init.read(index, path, identity);
      await init.nextTurn();
    }
    if (!isCurrent()) return false;
    this.reach('layers');
    // Requests about open agents can be handled now.
    await init.nextTurn();
    for await (const [path, identity] of this.list(index, (kind) => lateKinds.includes(kind))) index.announce(path, identity);
    if (!isCurrent()) return false;
    index.isListed = true;
    this.reach('names');
    for (const { path, identity } of index.files()) {
      if (!isCurrent()) return false;
      if (lateKinds.includes(identity.kind) && !init.isTaken(path)) init.read(index, path, identity);
      await init.nextTurn();
    }
    return isCurrent();
  }

  /** Files on disk that the index does not know. */
  private async *list(
    index: GrowingIndex,
    isWanted: (kind: Kind) => boolean,
  ): AsyncGenerator<readonly [path: string, FileIdentity], void, undefined> {
    const report = (finding: Finding) => {
      if (!index.faults.some(({ file }) => file === finding.file)) index.faults = [...index.faults, finding];
    };
    for await (const files of listConfigFiles(this.init.files, index.settings, {
      isWanted: (kind) => isWanted(kind) && this.init.isOurs(kind),
      report,
    })) {
      for (const { path, identity } of files) {
        if (index !== this.init.index()) return;
        if (!this.init.isTaken(path) && index.identityOf(path) === undefined) yield [path, identity];
      }
      await this.init.nextTurn();
    }
  }

  private reach(stage: Stage): void {
    this.stage = stage;
    this.init.onStage();
    const reached = stages.indexOf(stage);
    const ready = this.waiting.filter((wait) => stages.indexOf(wait.stage) <= reached);
    this.waiting = this.waiting.filter((wait) => !ready.includes(wait));
    for (const { resolve } of ready) resolve();
  }
}
