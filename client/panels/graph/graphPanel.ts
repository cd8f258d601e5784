import * as vscode from 'vscode';
import { locate } from '../../../core/jsonText/locate.js';
import type { GraphModel } from '../../../core/routing/graph/graphModel.js';
import { singleFlight } from '../../../core/singleFlight.js';
import type { Services } from '../../services.js';
import { showBeside } from '../columns.js';
import { PanelPage } from '../panelPage.js';
import { type GraphFile, orchestrationFile } from './graphFile.js';
import { type GraphSource, readGraph } from './graphSource.js';
import { fromPage, type ToPage } from './messages.js';
import { livePathOf, type ShownPath, type WithLiveRuns } from './shownPath.js';

/** The graph beside an orchestration: follows the active one, edits in it, its findings, and its runs. */
export class GraphPanel {
  readonly page: PanelPage<ToPage, typeof fromPage>;
  readonly #services: Services & WithLiveRuns;
  readonly #update: () => void;
  #file: GraphFile | undefined;
  #source: GraphSource | undefined;
  #run: ShownPath | undefined;

  constructor(services: Services & WithLiveRuns, panel: vscode.WebviewPanel) {
    this.#services = services;
    const report = (error: unknown) => services.log.error('The graph failed', error instanceof Error ? error : String(error));
    this.#update = singleFlight(() => this.#read(), report);
    this.page = new PanelPage(services, panel, {
      name: 'graph',
      command: 'agentStack.showGraph',
      messages: fromPage,
      onReady: this.#update,
      on: {
        open: ({ pointer }) => this.#open(pointer),
        run: () => vscode.commands.executeCommand('agentStack.runOrchestration', this.#file?.uri),
        openRun: () => this.#openRun(),
        clearRun: () => this.showPath(undefined),
        saveSvg: () => this.#export('saveSvg'),
        saveMermaid: () => this.#export('saveMermaid'),
        copyMermaid: () => this.#export('copyMermaid'),
      },
    });
    const isOurs = (uri: vscode.Uri) => uri.toString() === this.#file?.uri.toString();
    this.page.own(
      { dispose: () => this.#run?.dispose() },
      services.projects.onDidChange((uri) => isOurs(uri) && this.#update()),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.some(isOurs) && this.#update()),
      vscode.workspace.onDidGrantWorkspaceTrust(this.#update),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined) void this.#follow(editor.document.uri).catch(report);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => isOurs(textEditor.document.uri) && this.#sendLit()),
    );
  }

  get file(): GraphFile | undefined {
    return this.#file;
  }

  show(file: GraphFile): void {
    if (file.uri.toString() !== this.#file?.uri.toString()) {
      this.#file = file;
      this.#source = undefined;
      this.page.forget();
      this.page.title = vscode.l10n.t('Graph {0}', file.name);
      this.showPath(livePathOf(this.#services, file));
    }
    this.#update();
  }

  /** Shows where a run is or has been, from now on; undefined: no run. */
  showPath(run: ShownPath | undefined): void {
    this.#run?.dispose();
    this.#run = run;
    run?.onDidChange(() => this.#sendRun());
    this.#sendRun();
  }

  async #follow(uri: vscode.Uri): Promise<void> {
    const file = uri.toString() === this.#file?.uri.toString() ? undefined : await orchestrationFile(this.#services, uri);
    const isStillActive = vscode.window.activeTextEditor?.document.uri.toString() === uri.toString();
    if (file !== undefined && isStillActive) this.show(file);
  }

  async #read(): Promise<void> {
    if (!this.page.isReady) return;
    const file = this.#file;
    if (file === undefined) {
      this.page.update({ type: 'nothing' });
      return;
    }
    const document = await openText(file.uri);
    if (file !== this.#file) return;
    const source = typeof document === 'string' ? document : readGraph(document);
    if (typeof source !== 'string') this.#source = source;
    this.page.update({ type: 'file', name: file.name, path: file.path, state: { uri: file.uri.toString() } });
    // A page that was taken down while the file is broken gets the last good state again.
    if (this.#source !== undefined) this.page.update({ type: 'graph', model: this.#source.model, canRun: vscode.workspace.isTrusted });
    this.page.update({ type: 'stale', reason: typeof source === 'string' ? source : null });
    this.#sendLit();
    this.#sendRun();
  }

  #sendLit(): void {
    const file = this.#file;
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === file?.uri.toString());
    const pointer = editor && this.#source?.pointerAt(editor.document.offsetAt(editor.selection.active));
    this.page.update({ type: 'lit', pointer: pointer ?? null });
  }

  #sendRun(): void {
    const run = this.#run;
    this.page.update({ type: 'run', run: run === undefined ? null : { run_id: run.run_id, path: run.path, isLive: run.isLive } });
  }

  async #openRun(): Promise<void> {
    const run_id = this.#run?.run_id;
    if (this.#file !== undefined && run_id != null)
      await vscode.commands.executeCommand('agentStack.openRun', { folder: this.#file.folder, run_id });
  }

  async #export(to: Parameters<typeof exportGraph>[2]): Promise<void> {
    if (this.#file !== undefined && this.#source !== undefined) await exportGraph(this.#file, this.#source.model, to);
  }

  async #open(pointer: string): Promise<void> {
    if (this.#file === undefined) return;
    const document = await vscode.workspace.openTextDocument(this.#file.uri);
    const member = locate(document.getText(), [pointer]).get(pointer);
    const { start, end } = member?.key ?? member?.value ?? { start: 0, end: 0 };
    // For an object, select only its start rather than a screen full of text.
    const isLong = document.positionAt(start).line !== document.positionAt(end).line;
    const range = new vscode.Range(document.positionAt(start), document.positionAt(isLong ? start : end));
    await showBeside(document, range, this.page.column);
  }
}

/** The text in the editor, or why it cannot be had. */
async function openText(uri: vscode.Uri): Promise<vscode.TextDocument | string> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Saves the graph as a picture or as text, or copies it, drawn as `agent-stack graph` draws it. */
async function exportGraph({ folder, name }: GraphFile, model: GraphModel, to: 'saveSvg' | 'saveMermaid' | 'copyMermaid'): Promise<void> {
  const text =
    to === 'saveSvg' ? await toSvg(model, name) : (await import('../../../core/routing/graph/graphMermaid.js')).graphMermaid(model);
  if (to === 'copyMermaid') {
    await vscode.env.clipboard.writeText(text);
    return;
  }
  const ending = to === 'saveSvg' ? 'svg' : 'mmd';
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder.uri, `${name}.${ending}`),
    filters: to === 'saveSvg' ? { SVG: ['svg'] } : { Mermaid: ['mmd', 'mermaid', 'md'] },
  });
  if (target === undefined) return;
  const isMarkdown = target.path.endsWith('.md');
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(isMarkdown ? `\`\`\`mermaid\n${text}\`\`\`\n` : text));
  const show = vscode.l10n.t('Open');
  const saved = vscode.l10n.t('The graph is in {0}.', vscode.workspace.asRelativePath(target));
  if ((await vscode.window.showInformationMessage(saved, show)) === show) await vscode.commands.executeCommand('vscode.open', target);
}

async function toSvg(model: GraphModel, name: string): Promise<string> {
  const [{ layOutGraph }, { graphSvg }] = await Promise.all([
    import('../../../core/routing/graph/graphLayout.js'),
    import('../../../core/routing/graph/graphSvg.js'),
  ]);
  return graphSvg(layOutGraph(model), name);
}
