import { singleFlight } from '../core/singleFlight.js';
import type { DiagnosticReport } from './diagnosis.js';
import type { Publisher, PublisherOptions } from './publisher.js';
import type { Affected } from './workspaceInit.js';

export interface DocumentPublisherOptions extends PublisherOptions {
  /** The client pulls diagnostics; otherwise they are pushed. */
  readonly pulls: boolean;
  /** Asks the client to pull again; undefined if it cannot. */
  readonly refresh: (() => Promise<unknown>) | undefined;
}

/**
 * Pushes the diagnostics of open documents to a client that does not pull them, and tells one that does to pull again when a change in one file
 * affects other open files. There is no timer: changes that arrive during a round are handled in the next one, which begins when no more of them
 * arrive.
 */
export class DocumentPublisher implements Publisher {
  private readonly options: DocumentPublisherOptions;
  /** Documents the client has changed itself. */
  private readonly changed = new Set<string>();
  /** Open documents whose diagnostics may have changed since they were sent. */
  private readonly suspects = new Set<string>();
  private readonly closed = new Set<string>();
  private readonly published = new Map<string, string>();
  private readonly begin: () => void;

  constructor(options: DocumentPublisherOptions) {
    this.options = options;
    this.begin = singleFlight(() => this.round(), options.onError);
  }

  documentChanged(uri: string): void {
    this.changed.add(uri);
    // The client pulls the diagnostics of documents it has changed itself.
    this.options.service().diagnosis.reported.delete(uri);
    this.begin();
  }

  documentClosed(uri: string): void {
    this.closed.add(uri);
    this.options.service().diagnosis.reported.delete(uri);
    this.begin();
  }

  changedElsewhere(): void {
    this.begin();
  }

  affected({ project, paths }: Affected): void {
    const { workspace } = this.options.service();
    for (const { uri, path } of workspace.openDocuments) {
      if (path === undefined || workspace.projectOf(uri) !== project) continue;
      if (paths === 'all' || paths.has(path)) this.suspects.add(uri);
    }
    if (this.suspects.size > 0) this.begin();
  }

  private async round(): Promise<void> {
    const service = this.options.service();
    await service.quiet();
    service.settle();
    await (this.options.pulls ? this.askAgain() : this.sendAll());
  }

  private async sendAll(): Promise<void> {
    const { service, send } = this.options;
    const { workspace } = service();
    for (const uri of take(this.closed)) {
      this.published.delete(uri);
      this.suspects.delete(uri);
      if (!this.changed.has(uri)) await send({ uri, diagnostics: [] });
    }
    const changedUris = take(this.changed);
    for (const uri of changedUris) this.suspects.delete(uri);
    for (const [uris, always] of [[changedUris, true] as const, [take(this.suspects), false] as const]) {
      for (const uri of uris) {
        const report = await this.reportOf(uri);
        if (report === undefined) continue;
        const version = workspace.document(uri)?.version ?? undefined;
        // A document that has been closed meanwhile gets an empty list in the next round.
        if (version === undefined || this.closed.has(uri)) continue;
        // A newer text is checked in the next round.
        if (this.changed.has(uri) || (!always && this.published.get(uri) === report.id)) continue;
        this.published.set(uri, report.id);
        await send({ uri, version, diagnostics: [...report.items] });
      }
    }
  }

  /** Undefined for a file that cannot be checked: the others still get their diagnostics. */
  private async reportOf(uri: string): Promise<DiagnosticReport | undefined> {
    try {
      return await this.options.service().diagnosis.reportOf(uri);
    } catch (error) {
      this.options.onError(error);
      return undefined;
    }
  }

  private async askAgain(): Promise<void> {
    const { service, refresh } = this.options;
    const { diagnosis } = service();
    this.closed.clear();
    this.changed.clear();
    const suspects = take(this.suspects);
    if (refresh === undefined) return;
    for (const uri of suspects) {
      const reportedId = await diagnosis.reported.get(uri);
      if (reportedId === undefined || reportedId === (await this.reportOf(uri))?.id) continue;
      await refresh();
      return;
    }
  }
}

function take(set: Set<string>): readonly string[] {
  const taken = [...set];
  set.clear();
  return taken;
}
