import { singleFlight } from '../core/singleFlight.js';
import type { DiagnosticReport } from './diagnosis.js';
import type { ProjectState } from './projectState.js';
import type { Publisher, PublisherOptions } from './publisher.js';
import type { Affected } from './workspaceInit.js';

/** A file whose diagnostics may differ from those that were sent. */
interface Suspect {
  readonly project: ProjectState;
  readonly path: string;
}

interface Published {
  /** In the spelling the client used then. */
  readonly uri: string;
  readonly id: string;
}

/**
 * Sends the diagnostics of every file of every project, open or not, to a client that wants them (`takesProjectDiagnostics`). The client only
 * shows what it is sent: this class knows what the client has of a file, and clears it when the file is gone. Open files come first. There is no
 * timer: changes that arrive while files are checked are included before the next file.
 */
export class ProjectPublisher implements Publisher {
  private readonly options: PublisherOptions;
  private readonly open = new Map<string, Suspect>();
  private readonly others = new Map<string, Suspect>();
  /** By project and path: only files with findings. */
  private readonly published = new Map<ProjectState, Map<string, Published>>();
  private readonly begin: () => void;

  constructor(options: PublisherOptions) {
    this.options = options;
    this.begin = singleFlight(() => this.round(), options.onError);
  }

  documentChanged(): void {
    this.begin();
  }

  documentClosed(): void {
    this.begin();
  }

  changedElsewhere(): void {
    this.begin();
  }

  affected({ project, paths }: Affected): void {
    const concerned = paths === 'all' ? [...filesOf(project), ...(this.published.get(project)?.keys() ?? [])] : paths;
    for (const path of concerned) {
      const suspects = project.openVersion(path) === null ? this.others : this.open;
      suspects.set(`${project.root}/${path}`, { project, path });
    }
    this.begin();
  }

  private async round(): Promise<void> {
    for (;;) {
      const service = this.options.service();
      await service.quiet();
      service.settle();
      const suspect = takeFirst(this.open) ?? takeFirst(this.others);
      if (suspect === undefined) break;
      await this.check(suspect).catch(this.options.onError);
    }
    await this.takeBackClosed();
  }

  private async check({ project, path }: Suspect): Promise<void> {
    const { diagnosis, workspace } = this.options.service();
    if (!workspace.checkedFolders.includes(project)) return;
    const unknown = project.loaded(path);
    if (unknown === undefined) {
      await this.publish(project, path, await diagnosis.reportAt(project, path));
    } else if (project.openVersion(path) !== null) {
      // While the project loads, other projects are not delayed. When it has loaded, every file is affected.
      void unknown.then(() => this.affected({ project, paths: new Set([path]) }));
    }
  }

  private async publish(project: ProjectState, path: string, { id, items }: DiagnosticReport): Promise<void> {
    const { send } = this.options;
    const published = this.published.get(project) ?? new Map<string, Published>();
    this.published.set(project, published);
    const before = published.get(path);
    const uri = project.uriOf(path);
    if (before?.id === id && before.uri === uri) return;
    if (before !== undefined && before.uri !== uri) await send({ uri: before.uri, diagnostics: [] });
    if (items.length > 0) published.set(path, { uri, id });
    else if (!published.delete(path)) return;
    const version = project.openVersion(path);
    await send({ uri, ...(version !== null && { version }), diagnostics: [...items] });
  }

  /** The diagnostics sent for projects that have left the workspace. */
  private async takeBackClosed(): Promise<void> {
    const { checkedFolders } = this.options.service().workspace;
    for (const [project, files] of [...this.published]) {
      if (checkedFolders.includes(project)) continue;
      this.published.delete(project);
      for (const { uri } of files.values()) await this.options.send({ uri, diagnostics: [] });
    }
  }
}

/** Every file that may have findings. */
function filesOf(project: ProjectState): readonly string[] {
  return [...[...project.knownFiles(), ...project.foreignFiles()].map(({ path }) => path), ...project.unlisted, ...project.toolFiles.paths];
}

function takeFirst(suspects: Map<string, Suspect>): Suspect | undefined {
  for (const [key, suspect] of suspects) {
    suspects.delete(key);
    return suspect;
  }
  return undefined;
}
