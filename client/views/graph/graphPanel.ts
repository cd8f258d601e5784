import * as vscode from 'vscode';
import { locate } from '../../../core/jsonText/locate.js';
import { singleFlight } from '../../../core/singleFlight.js';
import type { WithRuns } from '../../panels/run/runs.js';
import { showPage } from '../../panels/webviewPage.js';
import type { Services } from '../../services.js';
import { tellFailure } from '../../tellFailure.js';
import { showBeside } from '../preview/sourceMarks.js';
import { exportGraph } from './exportGraph.js';
import { type GraphFile, orchestrationFile } from './graphFile.js';
import { type GraphSource, readGraph } from './graphSource.js';
import { type FromPage, isFromPage, type ToPage } from './messages.js';
import { livePathOf, type ShownPath } from './shownPath.js';
import { pageStrings } from './strings.js';

/** The graph beside an orchestration: follows the active one, what is typed in it, what is found wrong with it, and its runs. */
export class GraphPanel implements vscode.Disposable {
  readonly #services: Services & WithRuns;
  readonly #panel: vscode.WebviewPanel;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #disposed = new vscode.EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly #update: () => void;
  readonly #report: (error: unknown) => void;

  #file: GraphFile | undefined;
  #source: GraphSource | undefined;
  #run: ShownPath | undefined;
  #isReady = false;
  /** What the page has, to send only what is different. */
  #sent = new Map<ToPage['type'], string>();

  constructor(services: Services & WithRuns, panel: vscode.WebviewPanel) {
    this.#services = services;
    this.#panel = panel;
    this.#report = (error) => services.log.error('The graph failed', error instanceof Error ? error : String(error));
    this.#update = singleFlight(() => this.#read(), this.#report);
    showPage(services.extension, panel, { name: 'graph', strings: pageStrings() });
    const isOurs = (uri: vscode.Uri) => uri.toString() === this.#file?.uri.toString();
    this.#disposables.push(
      this.#disposed,
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (isFromPage(message))
          void this.#receive(message).catch((error: unknown) => tellFailure(services, 'agentStack.showGraph', error));
      }),
      panel.onDidChangeViewState(() => {
        // A hidden page is taken down; it asks for everything when it is back.
        if (!panel.visible) this.#isReady = false;
      }),
      panel.onDidDispose(() => this.dispose()),
      services.projects.onDidChange((uri) => isOurs(uri) && this.#update()),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.some(isOurs) && this.#update()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#update()),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined) void this.#follow(editor.document.uri).catch(this.#report);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => isOurs(textEditor.document.uri) && this.#tellLit()),
    );
  }

  get file(): GraphFile | undefined {
    return this.#file;
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  /** Where it is on the screen; undefined where it is not. */
  get column(): vscode.ViewColumn | undefined {
    return this.#panel.visible ? this.#panel.viewColumn : undefined;
  }

  dispose(): void {
    this.#isReady = false;
    this.#run?.dispose();
    this.#disposed.fire();
    for (const disposable of this.#disposables.splice(0)) disposable.dispose();
    this.#panel.dispose();
  }

  show(file: GraphFile): void {
    if (file.uri.toString() !== this.#file?.uri.toString()) {
      this.#file = file;
      this.#source = undefined;
      this.#sent.clear();
      this.#panel.title = vscode.l10n.t('Graph {0}', file.name);
      this.showPath(livePathOf(this.#services, file));
    }
    this.#update();
  }

  /** Shows where a run is or has been, from now on; undefined: none any more. */
  showPath(run: ShownPath | undefined): void {
    this.#run?.dispose();
    this.#run = run;
    run?.onDidChange(() => this.#tellRun());
    this.#tellRun();
  }

  get shownRun(): ShownPath | undefined {
    return this.#run;
  }

  async #follow(uri: vscode.Uri): Promise<void> {
    const file = uri.toString() === this.#file?.uri.toString() ? undefined : await orchestrationFile(this.#services, uri);
    const isStillActive = vscode.window.activeTextEditor?.document.uri.toString() === uri.toString();
    if (file !== undefined && isStillActive) this.show(file);
  }

  async #read(): Promise<void> {
    if (!this.#isReady) return;
    const file = this.#file;
    if (file === undefined) {
      this.#post({ type: 'nothing' });
      return;
    }
    const read = await openText(file.uri);
    if (file !== this.#file) return;
    const source = typeof read === 'string' ? read : readGraph(read);
    if (typeof source !== 'string') this.#source = source;
    this.#post({ type: 'file', name: file.name, path: file.path, state: { uri: file.uri.toString() } });
    // A page that was taken down while the file is broken gets the last good state again.
    if (this.#source !== undefined) this.#post({ type: 'graph', model: this.#source.model, canRun: vscode.workspace.isTrusted });
    this.#post({ type: 'stale', reason: typeof source === 'string' ? source : null });
    this.#tellLit();
    this.#tellRun();
  }

  #tellLit(): void {
    const file = this.#file;
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === file?.uri.toString());
    const pointer = editor && this.#source?.pointerAt(editor.document.offsetAt(editor.selection.active));
    this.#post({ type: 'lit', pointer: pointer ?? null });
  }

  #tellRun(): void {
    const run = this.#run;
    this.#post({ type: 'run', run: run === undefined ? null : { run_id: run.run_id, path: run.path, isLive: run.isLive } });
  }

  async #receive(message: FromPage): Promise<void> {
    const file = this.#file;
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        this.#sent.clear();
        this.#update();
        return;
      case 'open':
        return file && this.#open(file, message.pointer);
      case 'run':
        await vscode.commands.executeCommand('agentStack.runOrchestration', file?.uri);
        return;
      case 'openRun':
        if (file !== undefined && this.#run?.run_id != null)
          await vscode.commands.executeCommand('agentStack.openRun', { folder: file.folder, run_id: this.#run.run_id });
        return;
      case 'clearRun':
        this.showPath(undefined);
        return;
      case 'saveSvg':
      case 'saveMermaid':
      case 'copyMermaid':
        if (file !== undefined && this.#source !== undefined) await exportGraph(file, this.#source.model, message.type);
        return;
    }
  }

  async #open({ uri }: GraphFile, pointer: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const found = locate(document.getText(), [pointer]).get(pointer);
    const { start, end } = found?.key ?? found?.value ?? { start: 0, end: 0 };
    // For an object, select only its start rather than a screen full of text.
    const isLong = document.positionAt(start).line !== document.positionAt(end).line;
    await showBeside(
      document,
      new vscode.Range(document.positionAt(start), document.positionAt(isLong ? start : end)),
      this.#panel.viewColumn,
    );
  }

  #post(message: ToPage): void {
    if (!this.#isReady) return;
    const text = JSON.stringify(message);
    if (this.#sent.get(message.type) === text) return;
    this.#sent.set(message.type, text);
    void this.#panel.webview.postMessage(this.#services.cover.apply(message));
  }
}

/** The text as it is in the editor; why not, when there is none. */
async function openText(uri: vscode.Uri): Promise<vscode.TextDocument | string> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
