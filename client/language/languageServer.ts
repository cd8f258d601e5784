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
  private starting: Promise<LanguageClient> | undefined;
  private isRestarting = false;
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
  async start(): Promise<LanguageClient | undefined> {
    this.starting ??= this.launch();
    try {
      return await this.starting;
    } catch (error) {
      this.starting = undefined;
      this.log.error('The language server did not start', error instanceof Error ? error : String(error));
      this.showStopped();
      const show = vscode.l10n.t('Show Log');
      const notification = vscode.window.showErrorMessage(vscode.l10n.t('The Agent Stack language server did not start.'), show);
      void notification.then((chosen) => chosen === show && this.log.show());
      return undefined;
    }
  }

  async restart(): Promise<void> {
    const running = await this.starting?.catch(() => undefined);
    if (running === undefined) await this.start();
    else await this.restartClient(running);
  }

  private async restartClient(client: LanguageClient): Promise<void> {
    this.isRestarting = true;
    try {
      await this.timed(() => withinSeconds(longestRestart, client.restart()));
    } catch (error) {
      // The server has ended and the library has not noticed: it would wait for its goodbye without end.
      this.log.warn('The language server does not end', error instanceof Error ? error : String(error));
      this.starting = undefined;
      void client.dispose().catch(() => undefined);
      await this.start();
    } finally {
      this.isRestarting = false;
      this.showRunning((await this.starting?.catch(() => undefined))?.isRunning() === true);
    }
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
    const client = await this.starting?.catch(() => undefined);
    if (client?.isRunning() === true) await client.sendNotification('agentStack/lookAgain');
  }

  /** Without it, a server that has crashed would look like a project without problems. */
  private showRunning(runs: boolean): void {
    if (runs) {
      this.stopped?.dispose();
      this.stopped = undefined;
    } else if (!this.isRestarting) this.showStopped();
  }

  private showStopped(): void {
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
  }

  dispose(): void {
    this.stopped?.dispose();
    this.isRestarting = true;
    this.ready.dispose();
    this.trust.dispose();
    void this.starting?.then((client) => client.dispose()).catch(() => undefined);
  }

  private async launch(): Promise<LanguageClient> {
    const { createLanguageClient } = await import('./languageClient.js');
    const client = createLanguageClient(this.extension, this.log, {
      onReady: () => this.ready.fire(),
      onRunning: (runs) => this.showRunning(runs),
      isMoving: () => this.isMoving,
    });
    await this.timed(() => client.start());
    return client;
  }

  private async timed(start: () => Promise<void>): Promise<void> {
    const started = performance.now();
    await start();
    this.log.info(`The language server has started in ${Math.round(performance.now() - started)} ms.`);
  }
}

/** How long a restart may take, in seconds. */
const longestRestart = 15;

async function withinSeconds(seconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${seconds} s.`)), seconds * 1000);
  });
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}
