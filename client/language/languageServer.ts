import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

/** For what depends on the language server. */
export interface WithServer {
  readonly server: LanguageServer;
}

/** The language server as the rest of the extension sees it. The language client itself is loaded by `start`. */
export class LanguageServer implements vscode.Disposable {
  private readonly extension: vscode.ExtensionContext;
  private readonly log: vscode.LogOutputChannel;
  /** While an edit of the server's own moves files (`applyMove`). */
  isMoving = false;
  private starting: Promise<LanguageClient | undefined> | undefined;
  /** When it ended by itself, in milliseconds. */
  private crashes: readonly number[] = [];
  private isDisposed = false;
  private stopped: vscode.StatusBarItem | undefined;
  private readonly ready = new vscode.EventEmitter<void>();
  /** The server has started, for the first time or again, and what it offers is registered. */
  readonly onReady = this.ready.event;
  private readonly trust = vscode.workspace.onDidGrantWorkspaceTrust(() => this.startAgain());

  constructor(extension: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.extension = extension;
    this.log = log;
  }

  /** Starts it unless it runs. A server that cannot start is reported once, with the log; findings are then missing, everything else works. */
  start(): Promise<LanguageClient | undefined> {
    this.starting ??= this.launch();
    return this.starting;
  }

  async restart(): Promise<void> {
    const before = this.starting;
    const client = await before;
    // Unless it has been started again meanwhile.
    if (this.starting === before) {
      this.starting = undefined;
      this.crashes = [];
      if (client !== undefined) end(client);
    }
    await this.start();
  }

  /** The server learns about trust when it starts; one that is not running learns it then. */
  private async startAgain(): Promise<void> {
    if (this.starting !== undefined) await this.restart();
  }

  /** The answer of one of the server's own commands (`agentStack.server.*`). */
  async execute<Answer>(command: `agentStack.server.${string}`, argument: unknown): Promise<Answer | undefined> {
    const client = await this.start();
    if (client === undefined) return undefined;
    return client.sendRequest<Answer>('workspace/executeCommand', { command, arguments: [argument] });
  }

  /** Has the server compare what it knows with the disk, which it answers with diagnostics. A server that does not run reads the disk when it starts. */
  async lookAgain(): Promise<void> {
    const client = await this.starting;
    if (client?.isRunning() === true) await client.sendNotification('agentStack/lookAgain');
  }

  /** Without the item, a server that has crashed would look like a project without problems. */
  private showStopped(message: string): void {
    const { t } = vscode.l10n;
    this.stopped ??= vscode.window.createStatusBarItem('agentStack.server', vscode.StatusBarAlignment.Left);
    this.stopped.name = t('Agent Stack: Language Server');
    this.stopped.text = `$(error) ${t('Agent Stack has stopped: Restart')}`;
    this.stopped.tooltip = t(
      'The language server has stopped, so no problems are shown. Click to start it again; the log of Agent Stack says why it ended.',
    );
    this.stopped.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
    this.stopped.command = 'agentStack.restartServer';
    this.stopped.show();
    const show = t('Show Log');
    void vscode.window.showErrorMessage(message, show).then((chosen) => chosen === show && this.log.show());
  }

  dispose(): void {
    this.isDisposed = true;
    this.stopped?.dispose();
    this.ready.dispose();
    this.trust.dispose();
    void this.starting?.then((client) => client !== undefined && end(client));
  }

  private async launch(): Promise<LanguageClient | undefined> {
    try {
      const { createLanguageClient } = await import('./languageClient.js');
      for (;;) {
        const client = createLanguageClient(this.extension, this.log, {
          onReady: () => this.ready.fire(),
          onEnd: () => this.startAfterCrash(client),
          isMoving: () => this.isMoving,
        });
        try {
          const started = performance.now();
          await client.start();
          this.log.info(`The language server has started in ${Math.round(performance.now() - started)} ms.`);
          this.stopped?.dispose();
          this.stopped = undefined;
          return client;
        } catch (error) {
          end(client);
          if (!this.mayStartAgain()) throw error;
        }
      }
    } catch (error) {
      this.starting = undefined;
      this.log.error('The language server did not start', error instanceof Error ? error : String(error));
      if (!this.isDisposed) this.showStopped(vscode.l10n.t('The Agent Stack language server did not start.'));
      return undefined;
    }
  }

  /** The client of a server that ends while it starts is replaced by `launch`, that of a restart by `restart`. */
  private async startAfterCrash(client: LanguageClient): Promise<void> {
    const before = this.starting;
    if ((await before) !== client || this.starting !== before) return;
    this.starting = undefined;
    end(client);
    if (this.mayStartAgain()) await this.start();
    else if (!this.isDisposed)
      this.showStopped(vscode.l10n.t('The Agent Stack language server has crashed {0} times in {1} minutes.', mostCrashes, crashMinutes));
  }

  /** Not when it has just crashed again and again. */
  private mayStartAgain(): boolean {
    const now = Date.now();
    this.crashes = [...this.crashes.filter((crash) => crash > now - crashMinutes * 60_000), now];
    return !this.isDisposed && this.crashes.length < mostCrashes;
  }
}

const mostCrashes = 5;
const crashMinutes = 3;

/** Its features end at once; a server that still runs ends soon after. */
function end(client: LanguageClient): void {
  // One that has not started cannot be stopped; one that has ended says no goodbye.
  client.dispose().catch(() => undefined);
}
